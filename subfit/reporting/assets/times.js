// Times that are moved by frames: the film's frames, and the rules of the guideline that a move keeps.

// Returns { move, faults, budget } for the cues of a file. Frames are those of FrameGrid in
// subfit/subtitles/timecodes.py: 23.976 means 24000/1001, and times are cut to whole milliseconds.
function makeClock(items, guideline) {
  const rate = guideline.frame_rate;
  const nominal = Math.ceil(rate - 0.01) * 1000;
  const [frames, over] = Math.abs(rate - nominal / 1001) < 0.005 ? [nominal, 1001] : [rate * 1000, 1000];
  const frameAt = (ms) => Math.ceil(((ms + 1) * frames) / (over * 1000)) - 1;
  const timeOf = (frame) => Math.floor((frame * over * 1000) / frames);
  const gap = Math.max(Math.floor(((guideline.min_gap_frames || 0) * 1000) / rate + 1e-9), guideline.min_gap_ms || 0);
  const shortest = Math.max(guideline.min_duration || 0, 1);
  const spoken = guideline.wpm === null ? Infinity : (guideline.wpm * guideline.characters_per_word) / 60;
  const readingSpeed = Math.min(guideline.cps === null ? Infinity : guideline.cps, spoken);
  const longest = guideline.max_duration === null ? Infinity : guideline.max_duration;

  // Returns by how many milliseconds times of a cue break each rule.
  function broken(item, start, end) {
    let [before, after] = [-Infinity, Infinity];
    for (const { cue } of items) {
      if (cue === item.cue || cue.start === null) continue;
      if (cue.start > start) after = Math.min(after, cue.start);
      else before = Math.max(before, cue.end);
    }
    return [
      ["it would start before the film", -start],
      [`${gap} ms must lie between it and the cue before`, gap - (start - before)],
      [`${gap} ms must lie between it and the next cue`, gap - (after - end)],
      [`it must stand for ${shortest} ms`, shortest - (end - start)],
      [`it may stand for ${longest} ms`, end - start - longest],
    ].map(([rule, by]) => [rule, Math.max(by, 0)]);
  }

  const faults = (item) =>
    broken(item, item.cue.start, item.cue.end).filter(([, by]) => by).map(([rule, by]) => `${rule}: ${by} ms amiss`);

  // Moves the "start" or "end" of a cue by frames, as far as no rule is broken that was kept, and
  // none more than it was: returns the new times, or as `rule` what stands in the way.
  function move(item, side, by) {
    const { cue } = item;
    const now = broken(item, cue.start, cue.end);
    const frame = frameAt(cue[side]);
    const ahead = by < 0 && timeOf(frame) < cue[side] ? 1 : 0; // to the frame that it is within, first
    let rule;
    for (let left = Math.abs(by); left; left -= 1) {
      const times = { start: cue.start, end: cue.end, [side]: timeOf(frame + ahead + Math.sign(by) * left) };
      const worse = broken(item, times.start, times.end).find(([, much], at) => much > now[at][1]);
      if (!worse) return times;
      [rule] = worse;
    }
    return { rule };
  }

  // Works out anew how many characters a cue may have, as subfit/limits/budget.py does.
  function budget(cue, was) {
    cue.limits = { ...was.limits };
    if (!("cps" in was.limits)) return;
    const { counting, cps_counting: reading } = guideline;
    const apart = JSON.stringify(counting) !== JSON.stringify(reading);
    const step = apart || counting.half_width ? 0.5 : 1;
      const most = Math.max(Math.floor((readingSpeed * (cue.end - cue.start)) / 1000 / step + 1e-9) * step, 0);
    cue.limits.cps = most;
    const limits = Object.entries(cue.limits).sort((one, other) => one[1] - other[1] || (one[0] === "cps") - (other[0] === "cps"));
    cue.binding = limits[0][0];
    cue.budget = Math.min(...limits.filter(([name]) => !(apart && name === "cps")).map(([, each]) => each));
  }

  return { move, faults, budget };
}

const TIMING = /((?:\d+:)?)(\d\d:\d\d[.,]\d{3})(\s*-->\s*)((?:\d+:)?)(\d\d:\d\d[.,]\d{3})/;

// Returns what stands before a cue's text, with other times in its timing line, written as they were.
function headOf(head, { start, end }) {
  const at = head.lastIndexOf("\n") + 1;
  const write = (ms, hours, rest) => {
    const [, most, least] = clock(ms).replace(".", rest.at(-4)).match(/^(\d+):(.*)$/);
    return hours || Number(most) ? `${most.padStart(hours.length - 1, "0")}:${least}` : least;
  };
  return head.slice(0, at) + head.slice(at).replace(TIMING, (_, hours, rest, arrow, endHours, endRest) =>
    write(start, hours, rest) + arrow + write(end, endHours, endRest));
}
