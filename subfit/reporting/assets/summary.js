// What stands above and below the cues: the heading, tiles, settings, repairs and definitions.

function showHead(report) {
  const { input, output, settings, file } = report.data;
  const { guideline } = settings;
  const languages = [settings.source_language, settings.target_language].filter((each) => each);
  const limits = [
    guideline.cps === null ? "" : `${number(guideline.cps)} CPS`,
    guideline.cpl === null ? "" : `${number(guideline.cpl)} CPL`,
    guideline.lines === null ? "" : counted(guideline.lines, "line"),
  ].filter((each) => each);
  const facts = [
    input ? ["from", input] : null,
    languages.length ? ["languages", languages.join(" → ")] : null,
    ["guideline", guideline.name + (limits.length ? ` (${limits.join(", ")})` : "")],
    settings.model ? ["model", settings.model] : null,
    ["subfit", report.data.subfit],
  ].filter((each) => each);
  byId("head").append(
    make("h1", {}, output && output !== "-" ? output.split(/[\\/]/).pop() : file.name),
    make("p", { class: "facts" }, ...facts.map(([name, value]) => make("span", {}, make("b", {}, name), ` ${value}`))),
  );
}

// Shows the totals as the cues are now.
function showTiles(report, items) {
  const judged = items.filter((item) => item.judged);
  const now = report.rules.totals(judged);
  const { totals } = report.data;
  const edited = items.filter(isChanged).length;
  const accepted = items.filter((item) => item.accepted).length;
  const before = totals.overflow && totals.overflow.before;
  const within = now.translated - now.over - now.linesOver;
  const bound = boundBy(judged);
  const over = now.over + now.linesOver;
  const tiles = [
    ["Within limits", `${within} of ${now.translated}`, now.translated ? percent(within / now.translated) : "", over ? "bad" : "good"],
    ["Over budget", `${now.over}`, [
      before ? `${before.over} before length control` : "",
      now.characters ? `${counted(round(now.characters, 1), "character")} over` : "",
      now.linesOver ? `${now.linesOver} more over their lines` : "",
    ].filter((each) => each).join("; "), now.over ? "bad" : "good"],
    ["Not translated", `${items.length - now.translated}`, rest(items)],
    ...(now.ratio === null ? [] : [
      ["Length ratio (LR)", number(now.ratio, 2), `± ${number(now.ratioDeviation, 2)}`],
      ["Compliance (LC)", percent(now.strict, 0), `${percent(now.iwslt, 0)} by the IWSLT rule`],
    ]),
    ["Reading speed", now.cps === null ? DASH : `${number(now.cps)} CPS`, now.cps === null ? "" : `worst ${number(now.cpsWorst)}`],
    ["Limits that bind", bound.length ? `${bound[0][1]} of ${now.translated}` : DASH,
      bound.map(([name, many], index) => (index ? `${name} ${many}` : name)).join(", ")],
    ...FLAGS.flatMap((flag) => flagTile(flag, judged)),
    ...glossaryTile(judged),
    ...timeTiles(items, totals),
    ["Edited", `${edited}`, accepted ? `${accepted} accepted` : edited ? "download them below" : "click a translation to edit it"],
  ];
  byId("tiles").replaceChildren(
    ...tiles.map(([name, value, more, state]) =>
      make("div", { class: `tile ${state || ""}` }, make("span", { class: "name" }, name),
        make("strong", {}, value), make("span", { class: "sub" }, more || "")),
    ),
  );
}

// Returns a tile on cues that have a flag, if there were any.
function flagTile(flag, judged) {
  if (!judged.some((item) => hasFlag(item, flag))) return [];
  const left = judged.filter((item) => isFlagged(item, flag)).length;
  const state = !flag.is_bad ? "" : left ? "bad" : "good";
  return [[flag.heading, `${left}`, left ? flag.tile : "all edited", state]];
}

// Returns a tile on the glossary's terms, if the sources have any.
function glossaryTile(judged) {
  const found = judged.reduce((sum, { cue }) => sum + (cue.terms || []).length, 0);
  const missed = judged.reduce((sum, item) => sum + missedTerms(item).length, 0);
  if (!found) return [];
  return [["Glossary terms", `${found - missed} of ${found}`, missed ? `${missed} missed` : "all placed", missed ? "bad" : "good"]];
}

// Returns tiles on out-times that were moved, and on how lines are spoken, where there are such.
function timeTiles(items, totals) {
  const moved = items.map(({ cue }) => movedBy(cue)).filter((each) => each);
  const tiles = [];
  if (moved.length) {
    const seconds = moved.reduce((sum, each) => sum + each, 0) / 1000;
    tiles.push(["Out-times moved", `${moved.length}`, `${number(seconds, 1)} s more in total`]);
  }
  if (totals.speaking) {
    const { lines, ok, over, under } = totals.speaking;
    tiles.push(["Speaking time", `${ok} of ${lines}`, `${over} too long, ${under} too short, as translated`, over ? "bad" : "good"]);
  }
  return tiles;
}

// Returns the limits that bind and how many cues each does, the commonest first.
function boundBy(judged) {
  const many = new Map();
  for (const { cue } of judged) {
    const name = LIMIT_NAMES[cue.binding] || cue.binding;
    if (name) many.set(name, (many.get(name) || 0) + 1);
  }
  return [...many].sort((one, other) => other[1] - one[1]);
}

function rest(items) {
  const kept = items.filter((item) => item.level === "kept").length;
  const missing = items.filter((item) => item.level === "untranslated").length;
  return [kept ? `${kept} kept by rule` : "", missing ? `${missing} without a translation` : ""]
    .filter((each) => each).join("; ");
}

const anyOf = (words) => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
const KEYS = [
  ["↓ ↑ or j k", "next and previous cue"],
  ["n", `next cue that is ${anyOf(["over", "near", "not translated", ...FLAGS.map((flag) => flag.heading.toLowerCase())])}`],
  ["Enter", "edit the cue"],
  ["Space", "play the cue, or stop"],
  ["a", "accept the cue, and go to the next one that wants a look"],
  ["u i, o p", "in-time, out-time one frame earlier and later; with Shift twelve"],
  ["1 … 9", "take one of its other translations"],
  ["Ctrl + Enter", "done, and edit the next cue"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["Alt + B, Alt + Z", "break into lines; as translated"],
  ["Esc", "close the cue"],
  ["/", "search"],
];

// Shows what a reader may want to look up.
function showFoot(report) {
  const { repairs, definitions, settings, totals } = report.data;
  const section = (title, ...content) => make("details", {}, make("summary", {}, title), ...content);
  const list = (pairs) =>
    make("dl", {}, ...pairs.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
  const flat = (values, above = "") =>
    Object.entries(values).flatMap(([name, value]) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? flat(value, `${above}${name}.`)
        : [[above + name, readable(value)]],
    );
  byId("foot").append(
    section("Keys", make("label", {}, controls.keys, " Keys without Ctrl or Alt do what is said here"), make("dl", {}, ...KEYS.flatMap(([key, does]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, does)]))),
    repairs && repairs.length
      ? section(`Mended in the input, or not kept: ${repairs.length}`, list(repairs.map((each) => [`line ${each.line}`, each.problem])))
      : "",
    section("Figures as translated", list(flat(totals))),
    section("Settings", list(flat(settings))),
    definitions ? section("What the figures mean", list(Object.entries(definitions))) : "",
  );
}
