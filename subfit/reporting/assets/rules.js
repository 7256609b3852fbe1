// What a text is worth in its cue: the verdict and the totals of subfit/reporting/figures.py and totals.py.

const ROUNDING = 1e-9;
const NEAR = 0.9; // of the budget
const ISOMETRIC = [0.9, 1.1];
const SHORT_SOURCE = 10;

const oneLine = (text) => text.replaceAll("\n", " ");
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values, middle) =>
  Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));

// Returns functions that judge texts under a report's guideline; only what is on a screen has lines.
function makeRules(guideline, count, onScreen) {
  const { counting, cps_counting: readingCounting } = guideline;
  const apart = JSON.stringify(counting) !== JSON.stringify(readingCounting);
  const dense = { ...counting, spaces: false };

  // Returns the figures of a text, lines parted by "\n", in a cue of the report.
  function judge(text, cue) {
    const timed = cue.start !== null;
    const seconds = timed ? (cue.end - cue.start) / 1000 : 0;
    const characters = count(text, counting);
    const reading = count(text, readingCounting);
    const budget = cue.budget === null ? Infinity : cue.budget;
    const readingBudget = apart && "cps" in cue.limits ? cue.limits.cps : Infinity;
    const cpl = text.split("\n").map((line) => count(line, counting));
    const excess = Math.max(characters - budget, reading - readingBudget, 0);
    const tooMany = onScreen && guideline.lines !== null && cpl.length > guideline.lines;
    const tooWide =
      onScreen && guideline.cpl !== null && cpl.some((width) => width > guideline.cpl + ROUNDING);
    return {
      characters,
      excess: excess > ROUNDING ? excess : 0,
      usage: Math.max(share(characters, budget), share(reading, readingBudget)),
      cps: seconds > 0 ? reading / seconds : null,
      cpl,
      tooMany,
      tooWide,
      lengthRatio: cue.source_characters
        ? count(oneLine(text), counting) / cue.source_characters
        : null,
      fits: excess <= ROUNDING && !tooMany && !tooWide,
    };
  }

  function share(length, budget) {
    if (budget === Infinity) return 0;
    return budget > 0 ? length / budget : length > 0 ? Infinity : 0;
  }

  const inRange = (source, target) =>
    ISOMETRIC[0] * source - ROUNDING <= target && target <= ISOMETRIC[1] * source + ROUNDING;

  function isCompliantIwslt(source, target) {
    const length = count(oneLine(source), dense);
    return length <= SHORT_SOURCE || inRange(length, count(oneLine(target), dense));
  }

  const isCompliantStrict = (source, target) =>
    inRange(count(oneLine(source), counting), count(oneLine(target), counting));

  // Returns the totals over items that are translated; null for figures of nothing.
  function totals(items) {
    const ratios = items.map((item) => item.figures.lengthRatio).filter((each) => each !== null);
    const speeds = items.map((item) => item.figures.cps).filter((each) => each !== null);
    const paired = items.filter((item) => item.cue.source.trim());
    const of = (test) => mean(paired.map((item) => test(item.cue.source, item.text)));
    const ratio = ratios.length ? mean(ratios) : null;
    const speed = speeds.length ? mean(speeds) : null;
    return {
      translated: items.length,
      over: items.filter((item) => item.figures.excess).length,
      characters: items.reduce((sum, item) => sum + item.figures.excess, 0),
      linesOver: items.filter((item) => item.level === "over" && !item.figures.excess).length,
      ratio,
      ratioDeviation: ratio === null ? null : deviation(ratios, ratio),
      iwslt: paired.length ? of(isCompliantIwslt) : null,
      strict: paired.length ? of(isCompliantStrict) : null,
      cps: speed,
      cpsDeviation: speed === null ? null : deviation(speeds, speed),
      cpsWorst: speeds.length ? speeds.reduce((most, each) => Math.max(most, each)) : null,
    };
  }

  return { judge, totals };
}
