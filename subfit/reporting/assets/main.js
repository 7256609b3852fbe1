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
  ["edited", "Edited", isChanged],
  ["accepted", "Accepted", (item) => item.accepted],
  ["untranslated", "Untranslated", (item) => item.level === "untranslated"],
  ...FLAGS.map((flag) => [flag.name, flag.heading, (item) => isFlagged(item, flag)]),
  ["noted", "With notes", (item) => notesOf(item, format, clockwork).length > 0],
];
const ALWAYS_OFFERED = ["all", "over", "near", "edited"];
const needsLook = (item) =>
  !item.accepted && (["over", "near", "untranslated"].includes(item.level) || FLAGS.some((flag) => isFlagged(item, flag)));
const drafts = makeDrafts(byId("data").textContent);
// In the order that they are listed in; `items` are as the file has them.
const ORDERS = [
  ["cue", "By time", () => 0],
  ["risk", "By risk", (one, other) => riskOf(other) - riskOf(one)],
  ["worst", "Worst first", (one, other) => byWorst(one, other)],
];
const riskOf = ({ cue }) => (Number.isFinite(cue.risk) ? cue.risk : -1);
// Risk × overflow; where the one is 0 or unknown, the other decides.
const overflowOf = ({ level, figures }) => (level === "over" ? figures.excess || 1 : 0);
const byWorst = (one, other) =>
  Math.max(riskOf(other), 0) * overflowOf(other) - Math.max(riskOf(one), 0) * overflowOf(one) ||
  overflowOf(other) - overflowOf(one) || riskOf(other) - riskOf(one);
const state = { order: "cue", listed: items, filter: "all", search: "", open: null, current: null, totals: 0, charts: 0, drafts: 0, kept: true };
const controls = { filters: new Map(), orders: new Map() };

function isShown(item) {
  const [, , test] = FILTERS.find(([name]) => name === state.filter);
  // What is open stays in view while its text, and so what it is, changes.
  if (item !== state.open && !test(item)) return false;
  return !state.search || `${item.cue.number}\n${item.cue.source}\n${item.text}`.toLowerCase().includes(state.search);
}

const isListed = ({ nodes }) => nodes.row.isConnected;

// Lists what is to be shown, in its order. Of thousands of rows, hiding each would take seconds.
function applyFilter() {
  const list = byId("cues").querySelector("ol");
  const rows = state.listed.filter(isShown).map(({ nodes }) => nodes.row);
  const held = document.activeElement;
  if (rows.length !== list.children.length || rows.some((row, at) => row !== list.children[at])) list.replaceChildren(...rows);
  if (held.isConnected && held !== document.activeElement) held.focus({ preventScroll: true });
  controls.empty.hidden = rows.length > 0;
  if (!state.current || !isListed(state.current)) setCurrent(state.listed.find(isListed) || null);
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
  player.seek(item);
  item.nodes.row.focus({ preventScroll: true });
  item.nodes.row.scrollIntoView({ block: "nearest" });
}

// Shows a cue wherever it is, for clicks on the charts.
function reveal(item) {
  if (!isListed(item)) setFilter("all", "");
  goTo(item);
  item.nodes.row.scrollIntoView({ block: "center" });
}

function step(from, by, test = () => true) {
  const { listed } = state;
  for (let at = listed.indexOf(from) + by; at >= 0 && at < listed.length; at += by) {
    if (isListed(listed[at]) && test(listed[at])) return listed[at];
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
  goTo(isListed(item) ? item : state.current);
}

// Makes an item what it is told, and shows it: only the history calls this.
function put(item, stand) {
  putItem(item, stand, clockwork);
  assess(item, report.rules, format);
  showItem(item, guideline, format, clockwork);
  player.show(item);
  if (item === state.open) {
    item.nodes.row.classList.add("open");
    if (item.editor.field.value !== item.typed) item.editor.field.value = item.typed;
  }
  showPanel(item, guideline, report.timed);
  const { cue, figures } = item;
  const seconds = item.moved ? `, ${clock(cue.start)} to ${clock(cue.end)}` : "";
  say(`Cue ${cue.number}: ${LEVELS[item.level][1]}, ${number(figures.characters)} characters${seconds}${item.accepted ? ", accepted" : ""}`);
  showLater();
}

const set = (item, typed) => history.change([[item, { typed }]], `words of ${item.cue.number}`);

function move(item, side, frames) {
  const { rule, ...times } = clockwork.move(item, side, frames);
  if (rule) return say(`Cue ${item.cue.number} stays: ${rule}`);
  history.change([[item, times]]);
  player.seek(item, side);
}

function accept(item) {
  history.change([[item, { accepted: !item.accepted }]]);
  if (!item.accepted) return;
  close();
  goTo(step(item, 1, needsLook) || step(item, 1));
}

// Shows what was taken back or done again.
function turned([item]) {
  if (item && item !== state.open) reveal(item);
}

// Takes another translation; of a sentence over several cues, its parts in all of them.
function choose(item, alternative) {
  const same = (each) => each.score === alternative.score && each.share === alternative.share;
  const [changes, without] = [[], []];
  for (const cueNumber of item.cue.joined.length ? item.cue.joined : [item.cue.number]) {
    const other = itemOf.get(cueNumber);
    const part = other === item ? alternative : other.cue.alternatives.find(same);
    if (part) changes.push([other, { typed: editable(part.body, format) }]);
    else without.push(cueNumber);
  }
  history.change(changes);
  if (without.length) say(`Cue ${without.join(", ")} has no part of this translation; look at it too`);
}

const actions = {
  set,
  choose,
  move,
  accept,
  play: (item) => player.play(item),
  close,
  next: () => {
    const next = step(state.open, 1);
    close();
    if (next) open(next);
  },
};

const say = (text) => setText(byId("status"), text);
const clockwork = makeClock(items, guideline);
const history = makeHistory(put, (undos, redos) => {
  controls.undo.disabled = !undos;
  controls.redo.disabled = !redos;
});
const player = makePlayer(items, report.languages, {
  ready: () => goTo(state.current),
  follow: (item) => {
    if (state.open) return;
    setCurrent(item);
    item.nodes.row.scrollIntoView({ block: "nearest" });
  },
  tell: (text) => setText(controls.told, text),
});

function showTotals() {
  showTiles(report, items);
  for (const [name, , test] of FILTERS) {
    const many = items.filter(test).length;
    const button = controls.filters.get(name);
    setText(button.lastChild, String(many));
    button.hidden = !many && !ALWAYS_OFFERED.includes(name) && state.filter !== name;
  }
  const edited = items.some(isChanged);
  controls.edits.disabled = !edited && !items.some((item) => item.accepted);
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
  const touched = items.filter((item) => isChanged(item) || item.accepted);
  state.kept = drafts.save(Object.fromEntries(touched.map((item) => [item.cue.number, standOf(item)])));
}

// Puts back what was changed when the page was last open, and tells of it.
function restoreEdits(found) {
  history.change(items.map((item) => [item, found.edits[item.cue.number] || {}]));
  const touched = items.filter((item) => isChanged(item) || item.accepted);
  const many = touched.length;
  if (!many) return;
  const discard = () => {
    const fresh = ({ original, was: { start, end } }) => ({ typed: original, start, end, accepted: false });
    history.change(items.map((item) => [item, fresh(item)]));
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
  applyFilter();
  for (const [each, button] of controls.orders) button.setAttribute("aria-pressed", String(each === name));
}

// Makes the buttons that say how cues are listed; of a file without risks and overflow there is one way only.
function makeOrders() {
  const orders = make("div", { class: "filters", role: "group", "aria-label": "List", hidden: !items.some((item) => riskOf(item) >= 0 || item.level === "over") });
  for (const [name, label] of ORDERS) {
    if (name === "risk" && !items.some((item) => riskOf(item) >= 0)) continue;
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
  const turn = (id, label, title) => make("button", {
    type: "button", id, title, disabled: true, on: { click: () => turned(history[id]()) },
  }, label);
  controls.undo = turn("undo", "Undo", "Ctrl+Z");
  controls.redo = turn("redo", "Redo", "Ctrl+Y");
  controls.keys = make("input", { type: "checkbox", checked: true });
  controls.told = make("p", { class: "restored", role: "alert" });
  byId("toolbar").append(filters, makeOrders(), controls.search, make("div", { class: "downloads" },
    report.timed ? player.chooser : "", controls.undo, controls.redo, controls.file, controls.edits), controls.told);
  byId("cues").before(player.node);
  new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--toolbar", `${target.offsetHeight}px`))
    .observe(byId("toolbar"));
}

function downloadFile() {
  const type = format === "vtt" ? "text/vtt" : "text/plain";
  download(data.file.name, fileText(data.file, items), `${type};charset=utf-8`);
  state.saved = JSON.stringify(editsOf());
}

function editsOf() {
  return items.filter(isChanged).map(({ cue, was, text, payload, figures, level }) => ({
    number: cue.number, line: cue.line, start: cue.start, end: cue.end, times_before: [was.start, was.end], source: cue.source,
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
    edits: editsOf(), accepted: items.filter((item) => item.accepted).map(({ cue }) => cue.number), sentences: sentencesOf(),
  };
  download(`${data.file.name}.edits.json`, `${JSON.stringify(document, null, 2)}\n`, "application/json");
}

const moves = new Map(MOVES.map((each) => [each[0], each]));

function onKey(event) {
  const typing = event.target.matches("textarea, input");
  const current = state.open || state.current;
  if (event.key === "Escape") {
    if (state.open) close();
    else if (event.target === controls.search) setFilter(state.filter, "");
    else return;
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && state.open) actions.next();
  else if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && event.target !== controls.search) {
    turned(event.key.toLowerCase() === "z" && !event.shiftKey ? history.undo() : history.redo());
  } else if (typing || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("video, summary")) return;
  else if (!controls.keys.checked && event.key.length === 1) return;
  else if (event.key === "/") controls.search.focus();
  else if (!current) return;
  else if (event.key === "ArrowDown" || event.key === "j") goTo(step(current, 1));
  else if (event.key === "ArrowUp" || event.key === "k") goTo(step(current, -1));
  else if (event.key === "n") goTo(step(current, 1, needsLook));
  else if (event.key === " " && !event.target.matches("button")) player.play(current);
  else if (event.key === "a") accept(current);
  else if (moves.has(event.key.toLowerCase()) && current.cue.start !== null) {
    const [, side, by] = moves.get(event.key.toLowerCase());
    move(current, side, event.shiftKey ? by * MANY : by);
  }
  else if (event.key === "Enter" && event.target === current.nodes.row) open(current);
  else if (/^[1-9]$/.test(event.key) && current.cue.alternatives[event.key - 1]) choose(current, current.cue.alternatives[event.key - 1]);
  else return;
  event.preventDefault();
}

function start() {
  const list = make("ol", { class: "cues" });
  for (const item of items) {
    assess(item, report.rules, format);
    makeRow(item, report.languages, open);
    showItem(item, guideline, format, clockwork);
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
  file: () => fileText(data.file, items),
  // What each cue would be if its own text were typed into it.
  retyped: () => items.map(({ cue, original }) => payloadOf(cue.frame, original, format)),
};
