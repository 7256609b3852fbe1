// The timeline of budget use and reading speed, and the histogram of length ratios.

const WIDTH = 1000;
const HEIGHT = 100;
const ORDER = ["kept", "untranslated", "fits", "near", "over"]; // the last are drawn on top

// Draws one bar per cue, and calls `choose` with the item that is clicked.
function drawTimeline(items, guideline, choose) {
  const placed = placeInTime(items);
  const speedLimit = guideline.cps;
  const bands = [
    band(placed, "Budget used", (item) => item.figures.usage, 1.3, 1, "100 %", "part of the budget"),
  ];
  const said = ({ cue }) => (cue.speaking && cue.speaking.speed_factor) || 0;
  if (items.some(said)) {
    bands.push(band(placed, "Speaking time", said, 1.3, 1, "slot", "part of the slot"));
  } else if (items.some((item) => item.figures.cps !== null)) {
    const most = items.reduce((top, item) => Math.max(top, spoken(item)), 0);
    const top = speedLimit === null ? most : Math.max(1.3 * speedLimit, Math.min(most, 2 * speedLimit));
    const label = speedLimit === null ? "" : `${number(speedLimit)} CPS`;
    bands.push(band(placed, "Reading speed", spoken, top || 1, speedLimit, label, "characters per second"));
  }
  const tip = make("div", { class: "tip", hidden: true });
  const chart = make("div", { class: "timeline" }, ...bands, axis(placed), tip);
  for (const each of chart.querySelectorAll("svg")) {
    each.addEventListener("pointermove", (event) => showTip(tip, chart, event, nearest(placed, each, event)));
    each.addEventListener("pointerleave", () => (tip.hidden = true));
    each.addEventListener("click", (event) => choose(nearest(placed, each, event)));
  }
  return chart;
}

const spoken = (item) => (item.judged ? item.figures.cps || 0 : 0);

function placeInTime(items) {
  const timed = items.some(({ cue }) => cue.start !== null);
  let [starts, ends] = [items.map((_, index) => index), items.map((_, index) => index + 0.8)];
  if (timed) {
    let before = items.find(({ cue }) => cue.start !== null).cue.start; // for lines without times
    starts = items.map(({ cue }) => (before = cue.start === null ? before : cue.start));
    ends = items.map(({ cue }, index) => Math.max(starts[index], cue.end === null ? 0 : cue.end));
  }
  const first = starts.reduce((least, each) => Math.min(least, each), Infinity);
  const last = ends.reduce((most, each) => Math.max(most, each), -Infinity);
  const scale = WIDTH / (last - first || 1);
  const bars = items.map((item, index) => ({
    item,
    x: (starts[index] - first) * scale,
    width: Math.max((ends[index] - starts[index]) * scale, 1.5),
  }));
  return { bars, first, last, timed };
}

function band(placed, title, value, top, limit, label, unit) {
  const bars = [...placed.bars].sort(
    (one, other) => ORDER.indexOf(one.item.level) - ORDER.indexOf(other.item.level),
  );
  const shown = bars.filter(({ item }) => item.judged && value(item) > 0);
  const over = limit === null ? 0 : shown.filter(({ item }) => value(item) > limit + 1e-9).length;
  const summary =
    `${title} of ${counted(shown.length, "cue")} in the order of the file, as ${unit}` +
    (limit === null ? "." : `; ${over} over the limit of ${label}.`);
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
    ...shown.map(({ item, x, width }) => {
      const height = (Math.min(value(item), top) / top) * HEIGHT;
      return draw("rect", { class: `bar-${item.level}`, x, width, y: HEIGHT - height, height });
    }),
    limit === null ? null : draw("line", {
      class: "limit", x1: 0, x2: WIDTH, y1: HEIGHT * (1 - limit / top), y2: HEIGHT * (1 - limit / top),
    }),
  );
  const tag = make("span", { class: "limit-label" }, label);
  tag.style.bottom = limit === null ? "0" : `${(100 * limit) / top}%`;
  return make("figure", { class: "band" }, make("figcaption", {}, title), make("div", { class: "plot" }, picture, tag));
}

function axis(placed) {
  const parts = 5;
  const label = (share) => {
    const at = placed.first + share * (placed.last - placed.first);
    return placed.timed ? clock(Math.round(at), 0) : `cue ${Math.min(Math.floor(at) + 1, placed.bars.length)}`;
  };
  const marks = Array.from({ length: parts }, (_, index) => label(index / (parts - 1)));
  return make("div", { class: "axis", "aria-hidden": "true" }, ...marks.map((mark) => make("span", {}, mark)));
}

function nearest(placed, picture, event) {
  const box = picture.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * WIDTH;
  const distance = ({ x, width }) => (at < x ? x - at : at > x + width ? at - x - width : 0);
  return placed.bars.reduce((best, each) => (distance(each) < distance(best) ? each : best)).item;
}

function showTip(tip, chart, event, item) {
  const { cue, figures } = item;
  const budget = cue.budget === null ? "" : ` of ${number(cue.budget)}`;
  setText(tip, `#${cue.number}  ${number(figures.characters)}${budget} characters, ${number(figures.cps)} CPS`);
  tip.hidden = false;
  const box = chart.getBoundingClientRect();
  const left = Math.min(Math.max(event.clientX - box.left, 90), box.width - 90);
  tip.style.left = `${left}px`;
}

// Draws how many cues have which length ratio.
function drawHistogram(items) {
  const ratios = items.map((item) => item.figures.lengthRatio).filter((each) => each !== null);
  const [low, high, step] = [0.3, 2, 0.1];
  const bins = Math.round((high - low) / step);
  const counts = Array.from({ length: bins }, () => 0);
  for (const ratio of ratios) {
    const at = Math.floor((ratio - low) / step + 1e-9);
    counts[Math.min(Math.max(at, 0), bins - 1)] += 1;
  }
  const most = Math.max(...counts, 1);
  const x = (ratio) => ((ratio - low) / (high - low)) * WIDTH;
  const middle = ratios.length ? mean(ratios) : null;
  const inside = ratios.filter((each) => each >= 0.9 - 1e-9 && each <= 1.1 + 1e-9).length;
  const summary =
    `Length ratios of ${counted(ratios.length, "cue")}: mean ${number(middle, 2)}, ${inside} from 0.9 to 1.1.`;
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
    draw("rect", { class: "isometric", x: x(0.9), width: x(1.1) - x(0.9), y: 0, height: HEIGHT }),
    ...counts.map((each, index) => {
      const height = (each / most) * (HEIGHT - 8);
      const width = WIDTH / bins - 4;
      return draw(
        "rect",
        { class: "bar-plain", x: (index * WIDTH) / bins + 2, width, y: HEIGHT - height, height },
        draw("title", {}, `${number(low + index * step)} to ${number(low + (index + 1) * step)}: ${counted(each, "cue")}`),
      );
    }),
    middle === null ? null : draw("line", {
      class: "mean", x1: x(Math.min(middle, high)), x2: x(Math.min(middle, high)), y1: 0, y2: HEIGHT,
    }),
  );
  const marks = [0.5, 1, 1.5, 2].map((ratio) => {
    const mark = make("span", {}, ratio === high ? `≥ ${high}` : number(ratio));
    mark.style.left = `${x(ratio) / 10}%`;
    return mark;
  });
  return make(
    "figure",
    { class: "histogram" },
    make("figcaption", {}, "Length ratio", make("small", {}, ` mean ${number(middle, 2)}; shaded: 0.9 to 1.1`)),
    make("div", { class: "plot" }, picture),
    make("div", { class: "axis", "aria-hidden": "true" }, ...marks),
  );
}
