// What opens below a cue: its text to type in, other translations to choose from, all its figures.

const SHOWN = new Set(
  ("number start end status source target source_characters characters budget binding excess cps cpl " +
    "length_ratio alternatives unplaced note payload frame limits joined line terms lost source_end " +
    "omitted risky memory").split(" "),
);

// Makes the panel of an item. `actions` has set(item, typed), choose(item, alternative), move(item, side,
// frames), play(item), accept(item), close() and next().
function makePanel(item, report, actions) {
  const { cue } = item;
  const field = make("textarea", {
    rows: Math.max(2, item.typed.split("\n").length), lang: report.languages.target, dir: "auto",
    "aria-label": `Wording of cue ${cue.number}`, spellcheck: "true",
    on: { input: () => actions.set(item, field.value) },
  });
  field.value = item.typed;
  const meter = make("div", { class: "meter" });
  const button = (label, act, properties = {}) =>
    make("button", { type: "button", ...properties, on: { click: act } }, label);
  const put = (typed) => {
    actions.set(item, typed);
    field.value = typed;
    field.focus();
  };
  const buttons = make(
    "div",
    { class: "buttons" },
    report.timed ? button("Break lines", () => put(report.breakLines(field.value)), { title: "Alt+B" }) : null,
    button("As translated", () => put(item.original), { title: "Alt+Z" }),
    button("Accept", () => actions.accept(item), { title: "a" }),
    button("Done", actions.close, { title: "Esc" }),
    button("Done, next", actions.next, { class: "primary", title: "Ctrl+Enter" }),
  );
  field.addEventListener("keydown", (event) => {
    if (event.altKey && event.code === "KeyB" && report.timed) put(report.breakLines(field.value));
    else if (event.altKey && event.code === "KeyZ") put(item.original);
    else return;
    event.preventDefault();
  });
  const around = [cue.frame.prefix + cue.frame.line_open, cue.frame.line_close + cue.frame.suffix];
  const kept = around.filter((each) => each).join(" … ");
  const choices = makeChoices(item, report, actions);
  item.editor = { field, meter, choices };
  return [
    make(
      "div",
      { class: "write" },
      make("label", { class: "label" }, "Wording"),
      field,
      meter,
      kept ? make("p", { class: "frame" }, "Kept around it: ", make("code", {}, kept)) : null,
      buttons,
      cue.start === null ? null : makeMoves(item, button, actions),
    ),
    make("div", { class: "choose" }, make("span", { class: "label" }, choicesTitle(cue, "alternatives" in report.data.settings)), choices.list),
    makeDetails(cue, report),
  ];
}

// Makes the buttons that play a cue and move its times by a frame.
function makeMoves(item, button, actions) {
  const moves = [["start", "In"], ["end", "Out"]].flatMap(([side, label]) => [-1, 1].map((by) =>
    button(`${label} ${by < 0 ? "−" : "+"}1`, () => actions.move(item, side, by), {
      title: `${MOVES.find(([, each, frames]) => each === side && frames === by)[0]} (with Shift ${MANY} frames)`,
      "aria-label": `${label} ${by < 0 ? "−" : "+"}1: ${label}-time one frame ${by < 0 ? "earlier" : "later"}`,
    })));
  return make("div", { class: "buttons" }, button("Play", () => actions.play(item), { title: "Space" }), ...moves);
}

const MANY = 12; // frames that a key moves times by with Shift
const MOVES = [["u", "start", -1], ["i", "start", 1], ["o", "end", -1], ["p", "end", 1]];

function choicesTitle(cue, searched) {
  const others = cue.joined.filter((each) => each !== cue.number);
  if (!cue.alternatives.length) return searched ? "Other translations: none here; --alternatives N searches for more" : "";
  return others.length
    ? `Other translations; the sentence runs over cues ${cue.joined.join(", ")}, which change together`
    : "Other translations";
}

function makeChoices(item, report, actions) {
  const { cue } = item;
  const list = make("ol", { class: "choices" });
  const buttons = cue.alternatives.map((each, index) => {
    const typed = editable(each.body, report.format);
    const text = plainText(each.body, report.format);
    const figures = report.rules.judge(text, cue);
    const button = make(
      "button",
      { type: "button", class: figures.fits ? "" : "misfit", on: { click: () => actions.choose(item, each) } },
      make("span", { class: "text", lang: report.languages.target, dir: "auto" }, text),
      make(
        "small",
        {},
        `${number(figures.characters)} characters, LR ${number(figures.lengthRatio, 2)}, score ${number(each.score, 2)}`,
        figures.tooWide || figures.tooMany ? ", does not fit its lines" : "",
      ),
    );
    list.append(make("li", {}, make("kbd", {}, index < 9 ? String(index + 1) : ""), button));
    return { typed, button };
  });
  return { list, buttons };
}

// Shows the figures of what is typed, line by line, and which choice it is.
function showPanel(item, guideline, onScreen) {
  if (!item.editor) return;
  const { figures, cue, editor } = item;
  const over = (bad) => (bad ? "bad" : "good");
  const part = (bad, text) => make("span", { class: over(bad) }, text);
  const limit = (value) => (value === null ? "" : ` / ${number(value)}`);
  const lines = figures.cpl.map((width) => number(width)).join(" · ");
  editor.meter.replaceChildren(
    part(figures.excess > 0, `${number(figures.characters)}${limit(cue.budget)} characters`),
    figures.cps === null ? "" : part(guideline.cps !== null && figures.cps > guideline.cps + 1e-9,
      `${number(figures.cps)}${limit(guideline.cps)} CPS`),
    !onScreen ? "" : part(figures.tooMany, `${figures.cpl.length}${limit(guideline.lines)} lines`),
    !onScreen ? "" : part(figures.tooWide, `${lines}${limit(guideline.cpl)} per line`),
    part(false, `LR ${number(figures.lengthRatio, 2)}`),
  );
  for (const { typed, button } of editor.choices.buttons) {
    button.setAttribute("aria-pressed", String(typed === item.typed));
  }
}

function makeDetails(cue, report) {
  const rows = [];
  const add = (name, value) => {
    if (value === "" || value === null || value === undefined || value === false) return;
    const title = report.definitions[name];
    rows.push(make("dt", title ? { title } : {}, name.replaceAll("_", " ")), make("dd", { dir: "auto" }, value));
  };
  add("limits", Object.entries(cue.limits).map(([name, most]) => `${LIMIT_NAMES[name] || name} ${number(most)}`).join(", "));
  add("line", `${cue.line} of the input`);
  if (movedBy(cue)) add("source_end", `${clock(cue.source_end)} → ${clock(cue.end)}`);
  add("joined", cue.joined.length ? `cues ${cue.joined.join(", ")}` : "");
  add("terms", (cue.terms || []).map(({ source, targets, placed, reason }) =>
    `${source} → ${targets.join(" or ")}${placed ? "" : ` (missed${reason ? `: ${reason}` : ""})`}`).join("\n"));
  add("memory", memoryOf(cue.memory));
  add("omitted", (cue.omitted || []).join("\n"));
  for (const name of Object.keys(cue)) if (!SHOWN.has(name)) add(name, readable(cue[name]));
  return make("details", { class: "more" }, make("summary", {}, "All figures"), make("dl", {}, ...rows));
}

// Returns what translation memories had for a cue, and what was made of it.
function memoryOf(memory) {
  if (!memory) return "";
  const made = { exact: ", word for word", guided: ", followed" }[memory.used] || "";
  const match = memory.source ? `: ${memory.source} → ${memory.target}` : "";
  return `${memory.match_class}${made}${match}${memory.origin ? ` (${memory.origin})` : ""}`;
}

// Returns any JSON value as a short text.
function readable(value) {
  if (Array.isArray(value)) return value.map(readable).filter((each) => each !== "").join(", ");
  if (value !== null && typeof value === "object") {
    return Object.entries(value).map(([name, each]) => `${name} ${readable(each)}`).join(", ");
  }
  if (typeof value === "number") return number(value, 2);
  return value === null ? "" : String(value);
}
