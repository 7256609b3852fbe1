// The list of cues: what stands in each, and how it keeps its limits.

const data = JSON.parse(byId("data").textContent);
const LIMIT_NAMES = {
  cps: "reading speed",
  cpl: "line width",
  characters: "characters",
  length_ratio: "length ratio",
  speech: "speaking time",
};
const LEVELS = {
  over: ["●", "over"],
  near: ["▲", "near"],
  fits: ["✓", "fits"],
  untranslated: ["?", "untranslated"],
  kept: ["=", "kept"],
};
const BAR = 1.25; // what the bar has room for, in budgets

// Returns an item: a cue with what stands in it now.
function makeItem(cue, format) {
  const typed = editable(cue.frame.body, format);
  const was = { start: cue.start, end: cue.end, budget: cue.budget, binding: cue.binding, limits: cue.limits };
  return { cue, was, original: typed, typed, payload: cue.payload, text: cue.target, edited: false, moved: false, accepted: false };
}

// Makes an item what it is told to be: its words, its times, whether it is accepted.
function putItem(item, { typed, start, end, accepted }, clockwork) {
  const { cue, was } = item;
  Object.assign(item, { typed, accepted, moved: start !== was.start || end !== was.end });
  Object.assign(cue, was, { start, end });
  if (item.moved) clockwork.budget(cue, was);
}

// Works out what an item is worth as it stands.
function assess(item, rules, format) {
  const { cue } = item;
  item.edited = item.typed !== item.original;
  item.payload = item.edited ? payloadOf(cue.frame, item.typed, format) : cue.payload;
  item.text = item.edited ? shownText(cue.frame, item.typed, format) : cue.target;
  item.figures = rules.judge(item.text, cue);
  if (!isChanged(item)) trustReport(item);
  item.judged = item.edited || cue.status === "fits" || cue.status === "overflow";
  item.level = levelOf(item);
}

const isChanged = ({ edited, moved }) => edited || moved;

// Takes from the report what the page cannot work out: how long a text takes to say.
function trustReport({ cue, figures }) {
  figures.excess = cue.excess;
  const { speaking } = cue;
  if (speaking && speaking.speed_factor !== null) figures.usage = Math.max(figures.usage, speaking.speed_factor);
}

function levelOf({ cue, edited, moved, figures }) {
  if (!edited && cue.status === "passed") return "kept";
  if (!edited && cue.status === "untranslated") return "untranslated";
  if (edited || moved ? !figures.fits : cue.status === "overflow") return "over";
  return figures.usage >= NEAR ? "near" : "fits";
}

// Returns what someone should know of an item, beside its figures.
function notesOf(item, format, clockwork) {
  const { cue, figures } = item;
  const notes = item.moved ? clockwork.faults(item) : [];
  const told = Boolean(cue.note) && !isChanged(item);
  if (told && item.level !== "kept") notes.push(cue.note);
  if (figures.tooMany && item.judged && !told) notes.push("too many lines");
  if (figures.tooWide && item.judged && !told) notes.push("a line is too wide");
  for (const flag of FLAGS) {
    if (isFlagged(item, flag)) notes.push(flag.note.replace("{}", () => [cue[flag.figure]].flat().join(" | ")));
  }
  if (item.edited && !item.payload) notes.push("no text");
  if (cue.speaking && item.edited) notes.push("speaking time not estimated; check the script with subfit");
  if (cue.unplaced.length && !item.edited) notes.push(`markup without a place: ${cue.unplaced.join(" ")}`);
  for (const term of missedTerms(item)) notes.push(`glossary: “${term.source}” wants ${term.targets.join(" or ")}`);
  const lost = lostPlaceables(item).map((each) => each.source);
  if (lost.length) notes.push(`not in the translation: ${lost.join(", ")}`);
  const missing = item.edited ? missingTags(item.original, item.typed, format) : [];
  if (missing.length) notes.push(`markup left out: ${missing.join(" ")}`);
  return notes;
}

// What marks cues as subfit translated them, such as that they may end too early: subfit/reporting/totals.py.
const FLAGS = data.flags;
const hasFlag = ({ cue }, { figure }) => Boolean(Array.isArray(cue[figure]) ? cue[figure].length : cue[figure]);
const isFlagged = (item, flag) => hasFlag(item, flag) && !item.edited;

// Returns the terms of the glossary that the translation lacks; of an edited cue, by its own text.
function missedTerms({ cue, edited, text }) {
  return (cue.terms || []).filter((term) => (edited && !cue.joined.length ? !isThere(term, text) : !term.placed));
}

// Returns the numbers, addresses and the like that the translation lacks; of an edited cue by its own
// text, of an edited part of a sentence none, since they may be in another.
function lostPlaceables({ cue, edited, text }) {
  return (cue.lost || []).filter((each) => !edited || (!cue.joined.length && !isThere(each, text)));
}

function isThere(term, text) {
  const lower = text.toLowerCase().replace(/[\u00a0\u202f]/g, " ");
  return term.targets.some((target) => lower.includes(target.toLowerCase()));
}

// Returns the row of an item, whose button calls `open`.
function makeRow(item, languages, open) {
  const { cue } = item;
  const nodes = {
    target: make("div", { class: "text target", lang: languages.target, dir: "auto" }),
    fill: make("i"),
    used: make("span", { class: "used" }),
    limit: make("span", { class: "limit-name" }),
    speed: make("span", { class: "speed" }),
    chip: make("span", { class: "chip" }),
    risk: make("span", { class: "risk", title: data.definitions && data.definitions.risk }),
    notes: make("span", { class: "notes" }),
    edit: make("button", {
      type: "button", class: "edit", tabindex: "-1", "aria-expanded": "false", "aria-label": `Edit cue ${cue.number}`,
    }, "Edit"),
    panel: make("div", { class: "panel", hidden: true }),
    when: make("div", { class: "when" }),
  };
  nodes.row = make(
    "li",
    { class: "cue", id: `cue-${cue.number}`, tabindex: "-1" },
    make(
      "div",
      { class: "line" },
      nodes.when,
      make("div", { class: "text source", lang: languages.source, dir: "auto" }, cue.source),
      nodes.target,
      make(
        "div",
        { class: "use" },
        make("div", { class: "bar", "aria-hidden": "true" }, nodes.fill),
        nodes.used,
        nodes.limit,
        nodes.speed,
      ),
      make("div", { class: "verdict" }, nodes.chip, nodes.risk, nodes.edit, nodes.notes),
    ),
    nodes.panel,
  );
  nodes.edit.addEventListener("click", () => open(item));
  nodes.target.addEventListener("click", () => open(item));
  item.nodes = nodes;
  return nodes.row;
}

// Returns when a cue is there, who speaks, and by how much its times have moved.
function times({ cue, was }) {
  const parts = [make("b", {}, `#${cue.number}`)];
  if (cue.speaking && cue.speaking.speaker) parts.push(make("span", { class: "speaker", dir: "auto" }, cue.speaking.speaker));
  if (cue.start === null) return parts;
  parts.push(make("span", {}, clock(cue.start)), make("span", {}, `${number((cue.end - cue.start) / 1000, 2)} s`));
  const ended = Number.isFinite(cue.source_end) ? cue.source_end : was.end;
  for (const [side, before, after] of [["starts", was.start, cue.start], ["ends", ended, cue.end]]) {
    const seconds = `${after > before ? "+" : "−"}${number(Math.abs(after - before) / 1000, 2)} s`;
    if (after !== before) parts.push(make("span", { class: "moved", title: `${clock(before)} → ${clock(after)}` }, `${side} ${seconds}`));
  }
  return parts;
}

const movedBy = (cue) => (Number.isFinite(cue.source_end) && cue.end !== null ? cue.end - cue.source_end : 0);

// Returns how fast a cue must be read, or said.
function speedOf({ cue, figures, judged, edited }, guideline) {
  if (!judged) return "";
  const { speaking } = cue;
  if (speaking && speaking.slot && !edited) {
    const seconds = speaking.measured === null || speaking.measured === undefined ? speaking.estimated : speaking.measured;
    return `${number(seconds, 2)} s to say in ${number(speaking.slot, 2)} s`;
  }
  if (figures.cps === null) return "";
  return `${number(figures.cps)}${guideline.cps === null ? "" : ` / ${number(guideline.cps)}`} CPS`;
}

// Shows in its row what an item is now.
function showItem(item, guideline, format, clockwork) {
  const { cue, nodes, figures, level } = item;
  setText(nodes.target, item.text);
  nodes.when.replaceChildren(...times(item));
  nodes.row.className = `cue ${level}${isChanged(item) ? " edited" : ""}`;
  const budget = cue.budget === null ? "" : ` / ${number(cue.budget)}`;
  setText(nodes.used, item.judged ? `${number(figures.characters)}${budget}` : "");
  const limit = cue.binding === null ? "no limit" : LIMIT_NAMES[cue.binding] || cue.binding;
  setText(nodes.limit, item.judged ? limit : "");
  setText(nodes.speed, speedOf(item, guideline));
  nodes.fill.style.width = item.judged ? `${(Math.min(figures.usage, BAR) / BAR) * 100}%` : "0";
  const [sign, name] = LEVELS[level];
  const beyond = level === "over" && figures.excess ? ` +${number(figures.excess)}` : "";
  setText(nodes.chip, `${sign} ${name}${beyond}`);
  setText(nodes.risk, Number.isFinite(cue.risk) && !item.edited ? `risk ${percent(cue.risk, 0)}` : "");
  const reason = level === "kept" ? cue.note : "";
  const done = [item.edited ? "edited" : reason, item.moved ? "moved" : "", item.accepted ? "accepted" : ""];
  setText(nodes.notes, [...done, ...notesOf(item, format, clockwork)].filter((each) => each).join("; "));
}
