// The page: its state, what is shown of it, and what keys and buttons do.

const { guideline } = data.settings;
const count = makeCounter(data.characters);
const format = data.file.format;
const report = {
  data,
  format,
  rules: makeRules(guideline, count, data.file.timed),
  definitions: data.definitions || {},
  languages: { source: data.settings.source_language || "", target: data.settings.target_language || "" },
  timed: data.file.timed,
  breakLines: (text) =>
    breakLines(text, format, guideline.cpl === null ? Infinity : guideline.cpl, (line) => count(line, guideline.counting)),
};
const items = data.cues.map((cue) => makeItem(cue, format));
const itemOf = new Map(items.map((item) => [item.cue.number, item]));
const FILTERS = [
  ["all", "All", () => true],
  ["over", "Over", (item) => item.level === "over"],
  ["near", "Near", (item) => item.level === "near"],
  ["edited", "Edited", (item) => item.edited],
  ["untranslated", "Untranslated", (item) => item.level === "untranslated"],
  ...FLAGS.map((flag) => [flag.name, flag.heading, (item) => isFlagged(item, flag)]),
  ["noted", "With notes", (item) => notesOf(item, format).length > 0],
];
const ALWAYS_OFFERED = ["all", "over", "near", "edited"];
const needsLook = (item) =>
  ["over", "near", "untranslated"].includes(item.level) || FLAGS.some((flag) => isFlagged(item, flag));
const drafts = makeDrafts(byId("data").textContent);
// In the order that they are listed in; `items` are as the file has them.
const ORDERS = [
  ["cue", "By time", () => 0],
  ["risk", "By risk", (one, other) => riskOf(other) - riskOf(one)],
];
const riskOf = ({ cue }) => (Number.isFinite(cue.risk) ? cue.risk : -1);
const state = { order: "cue", listed: items, filter: "all", search: "", open: null, current: null, totals: 0, charts: 0, drafts: 0, kept: true };
const controls = { filters: new Map(), orders: new Map() };

function isShown(item) {
  const [, , test] = FILTERS.find(([name]) => name === state.filter);
  // What is open stays in view while its text, and so what it is, changes.
  if (item !== state.open && !test(item)) return false;
  return !state.search || `${item.cue.number}\n${item.cue.source}\n${item.text}`.toLowerCase().includes(state.search);
}

function applyFilter() {
  let shown = 0;
  for (const item of items) {
    const visible = isShown(item);
    item.nodes.row.hidden = !visible;
    if (visible) shown += 1;
  }
  controls.empty.hidden = shown > 0;
  if (!state.current || state.current.nodes.row.hidden) setCurrent(state.listed.find((item) => !item.nodes.row.hidden) || null);
}

// Makes a cue the one that Tab and keys reach.
function setCurrent(item) {
  for (const [each, index] of [[state.current, "-1"], [item, "0"]]) {
    if (!each) continue;
    each.nodes.row.setAttribute("tabindex", index);
    each.nodes.edit.setAttribute("tabindex", index);
  }
  state.current = item;
}

function goTo(item) {
  if (!item) return;
  setCurrent(item);
  item.nodes.row.focus({ preventScroll: true });
  item.nodes.row.scrollIntoView({ block: "nearest" });
}

// Shows a cue wherever it is, for clicks on the charts.
function reveal(item) {
  if (item.nodes.row.hidden) setFilter("all", "");
  goTo(item);
  item.nodes.row.scrollIntoView({ block: "center" });
}

function step(from, by, test = () => true) {
  const { listed } = state;
  for (let at = listed.indexOf(from) + by; at >= 0 && at < listed.length; at += by) {
    if (!listed[at].nodes.row.hidden && test(listed[at])) return listed[at];
  }
  return null;
}

function open(item) {
  if (state.open === item) return close();
  close();
  state.open = item;
  setCurrent(item);
  const { panel, edit, row } = item.nodes;
  panel.replaceChildren(...makePanel(item, report, actions));
  panel.hidden = false;
  edit.setAttribute("aria-expanded", "true");
  row.classList.add("open");
  showPanel(item, guideline, report.timed);
  item.editor.field.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function close() {
  const item = state.open;
  if (!item) return;
  state.open = null;
  item.editor = null;
  item.nodes.panel.replaceChildren();
  item.nodes.panel.hidden = true;
  item.nodes.edit.setAttribute("aria-expanded", "false");
  item.nodes.row.classList.remove("open");
  applyFilter();
  if (!item.nodes.row.hidden) goTo(item);
  else goTo(state.current);
}

function set(item, typed) {
  item.typed = typed;
  assess(item, report.rules, format);
  showItem(item, guideline, format);
  if (item === state.open) item.nodes.row.classList.add("open");
  showPanel(item, guideline, report.timed);
  say(`Cue ${item.cue.number}: ${LEVELS[item.level][1]}, ${number(item.figures.characters)} characters`);
  showLater();
}

// Takes another translation; of a sentence over several cues, its parts in all of them.
function choose(item, alternative) {
  const same = (each) => each.score === alternative.score && each.share === alternative.share;
  for (const cueNumber of item.cue.joined.length ? item.cue.joined : [item.cue.number]) {
    const other = itemOf.get(cueNumber);
    const part = other === item ? alternative : other.cue.alternatives.find(same);
    if (part) set(other, editable(part.body, format));
    else say(`Cue ${cueNumber} has no part of this translation; look at it too`);
  }
  if (item.editor) item.editor.field.value = item.typed;
}

const actions = {
  set,
  choose,
  close,
  next: () => {
    const next = step(state.open, 1);
    close();
    if (next) open(next);
  },
};

const say = (text) => setText(byId("status"), text);

function showTotals() {
  showTiles(report, items);
  for (const [name, , test] of FILTERS) {
    const many = items.filter(test).length;
    const button = controls.filters.get(name);
    setText(button.lastChild, String(many));
    button.hidden = !many && !ALWAYS_OFFERED.includes(name) && state.filter !== name;
  }
  const edited = items.some((item) => item.edited);
  controls.edits.disabled = !edited;
  controls.file.classList.toggle("primary", edited);
}

function showCharts() {
  byId("charts").replaceChildren(
    drawTimeline(items, guideline, reveal),
    drawHistogram(items.filter((item) => item.judged)),
  );
}

// Brings totals and charts up to date: the one at once, the other when typing pauses.
function showLater() {
  cancelAnimationFrame(state.totals);
  state.totals = requestAnimationFrame(showTotals);
  clearTimeout(state.charts);
  state.charts = setTimeout(showCharts, 400);
  clearTimeout(state.drafts);
  state.drafts = setTimeout(keepEdits, 400);
}

function keepEdits() {
  const edited = items.filter((item) => item.edited);
  state.kept = drafts.save(Object.fromEntries(edited.map((item) => [item.cue.number, item.typed])));
}

// Puts back what was typed when the page was last open, and tells of it.
function restoreEdits(found) {
  for (const item of items) {
    const typed = found.edits[item.cue.number];
    if (typeof typed === "string" && typed !== item.original) set(item, typed);
  }
  const many = items.filter((item) => item.edited).length;
  if (!many) return;
  const discard = () => {
    for (const item of items.filter((each) => each.edited)) set(item, item.original);
    if (state.open) state.open.editor.field.value = state.open.typed;
    controls.restored.remove();
  };
  controls.restored = make("p", { class: "restored", id: "restored" },
    `${counted(many, "edit")} of ${new Date(found.saved).toLocaleString()} ${many === 1 ? "is" : "are"} back. `,
    make("button", { type: "button", id: "discard", on: { click: discard } }, "Discard"));
  byId("toolbar").append(controls.restored);
}

function setFilter(name, search = state.search) {
  state.filter = name;
  state.search = search.toLowerCase();
  controls.search.value = search;
  for (const [each, button] of controls.filters) button.setAttribute("aria-pressed", String(each === name));
  applyFilter();
}

function setOrder(name) {
  const [, , compare] = ORDERS.find(([each]) => each === name);
  state.order = name;
  state.listed = [...items].sort(compare);
  byId("cues").querySelector("ol").append(...state.listed.map((item) => item.nodes.row));
  for (const [each, button] of controls.orders) button.setAttribute("aria-pressed", String(each === name));
}

// Makes the buttons that say how cues are listed; of a file without risks there is one way only.
function makeOrders() {
  const orders = make("div", { class: "filters", role: "group", "aria-label": "List", hidden: !items.some((item) => riskOf(item) >= 0) });
  for (const [name, label] of ORDERS) {
    const button = make("button", {
      type: "button", "data-order": name, "aria-pressed": String(name === state.order), on: { click: () => setOrder(name) },
    }, label);
    controls.orders.set(name, button);
    orders.append(button);
  }
  return orders;
}

function showToolbar() {
  const filters = make("div", { class: "filters", role: "group", "aria-label": "Show" });
  for (const [name, label] of FILTERS) {
    const button = make("button", {
      type: "button", "data-filter": name, "aria-pressed": String(name === state.filter),
      on: { click: () => setFilter(name) },
    }, `${label} `, make("span", { class: "many" }, "0"));
    controls.filters.set(name, button);
    filters.append(button);
  }
  controls.search = make("input", {
    type: "search", placeholder: "Search", "aria-label": "Search in source and translation",
    on: { input: (event) => setFilter(state.filter, event.target.value) },
  });
  controls.file = make("button", { type: "button", id: "download", on: { click: downloadFile } }, `Download ${format.toUpperCase()}`);
  controls.edits = make("button", { type: "button", id: "edits", disabled: true, on: { click: downloadEdits } }, "Edits as JSON");
  controls.file.hidden = data.file.heads === null; // a table, which only subfit writes
  byId("toolbar").append(filters, makeOrders(), controls.search, make("div", { class: "downloads" }, controls.file, controls.edits));
}

function downloadFile() {
  const type = format === "vtt" ? "text/vtt" : "text/plain";
  download(data.file.name, fileText(data.file, items.map((item) => item.payload)), `${type};charset=utf-8`);
  state.saved = JSON.stringify(editsOf());
}

function editsOf() {
  return items.filter((item) => item.edited).map(({ cue, text, payload, figures, level }) => ({
    number: cue.number, line: cue.line, start: cue.start, end: cue.end, source: cue.source,
    before: cue.target, after: text, payload, characters: figures.characters, budget: cue.budget,
    excess: figures.excess, status: level === "over" ? "overflow" : "fits",
  }));
}

// Returns the sentences of edited cues, whole, as a translation memory takes them.
function sentencesOf() {
  const groups = items.filter((item) => item.edited).map(({ cue }) => (cue.joined.length ? cue.joined : [cue.number]));
  const whole = new Map(groups.map((numbers) => [numbers.join(), numbers]));
  return [...whole.values()].map((numbers) => ({
    cues: numbers.map((number) => itemOf.get(number)).map(({ cue, text }) => ({
      number: cue.number, source: cue.source, target: text,
    })),
  }));
}

function downloadEdits() {
  const document = {
    subfit: data.subfit, input: data.input, output: data.output, languages: report.languages,
    edits: editsOf(), sentences: sentencesOf(),
  };
  download(`${data.file.name}.edits.json`, `${JSON.stringify(document, null, 2)}\n`, "application/json");
}

function onKey(event) {
  const typing = event.target.matches("textarea, input");
  const current = state.open || state.current;
  if (event.key === "Escape") {
    if (state.open) close();
    else if (event.target === controls.search) setFilter(state.filter, "");
    else return;
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && state.open) actions.next();
  else if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "/") controls.search.focus();
  else if (!current) return;
  else if (event.key === "ArrowDown" || event.key === "j") goTo(step(current, 1));
  else if (event.key === "ArrowUp" || event.key === "k") goTo(step(current, -1));
  else if (event.key === "n") goTo(step(current, 1, needsLook));
  else if (event.key === "Enter" && event.target === current.nodes.row) open(current);
  else if (/^[1-9]$/.test(event.key) && current.cue.alternatives[event.key - 1]) choose(current, current.cue.alternatives[event.key - 1]);
  else return;
  event.preventDefault();
}

function start() {
  const list = make("ol", { class: "cues" });
  for (const item of items) {
    assess(item, report.rules, format);
    list.append(makeRow(item, report.languages, open));
    showItem(item, guideline, format);
  }
  controls.empty = make("p", { class: "empty", hidden: true }, "No cue is like this.");
  const headings = ["Cue", "Source", "Translation", "Characters", "Verdict"];
  const head = make("div", { class: "line headings", "aria-hidden": "true" }, ...headings.map((each) => make("span", {}, each)));
  byId("cues").append(head, list, controls.empty);
  list.addEventListener("focusin", (event) => {
    const row = event.target.closest(".cue");
    if (row) setCurrent(itemOf.get(Number(row.id.slice(4))));
  });
  showHead(report);
  showToolbar();
  showTotals();
  showCharts();
  showFoot(report);
  if (ORDERS.some(([name]) => name === data.order)) setOrder(data.order);
  applyFilter();
  const found = drafts.load();
  if (found) restoreEdits(found);
  document.addEventListener("keydown", onKey);
  addEventListener("pagehide", keepEdits);
  addEventListener("beforeunload", (event) => {
    keepEdits();
    if (!state.kept && JSON.stringify(editsOf()) !== (state.saved ?? "[]")) event.preventDefault();
  });
}

start();
// For scripts that look at the page, such as its tests.
window.subfitReport = {
  count,
  plainText,
  judge: report.rules.judge,
  totals: () => report.rules.totals(items.filter((item) => item.judged)),
  file: () => fileText(data.file, items.map((item) => item.payload)),
  // What each cue would be if its own text were typed into it.
  retyped: () => items.map(({ cue, original }) => payloadOf(cue.frame, original, format)),
};
