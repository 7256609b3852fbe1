// Undo and redo of all that is changed in cues: their words, their times, whether they are accepted.

const PAUSE = 1000; // milliseconds after which typing is another step

const standOf = ({ typed, accepted, cue }) => ({ typed, accepted, start: cue.start, end: cue.end });

// Returns change(pairs, key), undo() and redo(). `pairs` are items with what becomes of them; steps of
// one key that follow each other at once are one step. `put(item, stand)` makes an item what it is told.
function makeHistory(put, tell) {
  const [done, undone] = [[], []];

  function change(pairs, key = null) {
    const step = pairs
      .map(([item, values]) => ({ item, before: standOf(item), after: { ...standOf(item), ...values } }))
      .filter(({ before, after }) => Object.keys(after).some((name) => after[name] !== before[name]));
    if (!step.length) return;
    const last = done.at(-1);
    const now = Date.now();
    if (key && last && last.key === key && now - last.at < PAUSE && !undone.length) {
      last.step[0].after = step[0].after;
      last.at = now;
    } else done.push({ step, key, at: now });
    undone.length = 0;
    for (const { item, after } of step) put(item, after);
    tell(done.length, undone.length);
  }

  // Takes the last step of one list back, and puts it on the other; returns its items.
  const turn = (from, to, side) => () => {
    const last = from.pop();
    if (!last) return [];
    to.push({ ...last, key: null });
    for (const each of last.step) put(each.item, each[side]);
    tell(done.length, undone.length);
    return last.step.map(({ item }) => item);
  };

  return { change, undo: turn(done, undone, "before"), redo: turn(undone, done, "after") };
}
