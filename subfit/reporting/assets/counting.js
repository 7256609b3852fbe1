// Characters as subfit counts them, one per grapheme cluster. The model is subfit/text/counting.py, and
// tests/data/counting.json holds both to the same counts.

const SEGMENTER = new Intl.Segmenter("und", { granularity: "grapheme" });
// Characters that are clusters of their own whatever stands beside them.
const SIMPLE =
  /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff]*$/;
const SPACE = /[\p{Zs}\t]/u;
const PUNCTUATION = /\p{P}/u;
const ARABIC_DIACRITICS = /[\u064b-\u0653]/g;

// Tells whether a code point lies in ranges given as first, last, first, last …
function inRanges(ranges, point) {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[2 * middle + 1] < point) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length / 2 && ranges[2 * low] <= point;
}

// Returns a function of a text and a guideline's counting; `ranges` are those of Unicode that
// JavaScript does not know.
function makeCounter(ranges) {
  const known = new Map();

  function weighBase(base, counting) {
    if (SPACE.test(base)) {
      if (!counting.spaces) return 0;
    } else if (!counting.punctuation && PUNCTUATION.test(base)) return 0;
    return !counting.half_width || inRanges(ranges.wide, base.codePointAt(0)) ? 1 : 0.5;
  }

  function weigh(cluster, counting) {
    let weight = 0;
    if (counting.arabic_diacritics) weight += (cluster.match(ARABIC_DIACRITICS) || []).length;
    for (const char of cluster) {
      if (!inRanges(ranges.baseless, char.codePointAt(0))) return weight + weighBase(char, counting);
    }
    return weight;
  }

  function compute(text, counting) {
    const everything = counting.spaces && counting.punctuation && !counting.half_width;
    if (everything && SIMPLE.test(text)) return text.replace(/[\n\r]/g, "").length;
    let sum = 0;
    for (const { segment } of SEGMENTER.segment(text)) sum += weigh(segment, counting);
    return sum;
  }

  return function count(text, counting) {
    const key = `${counting.spaces}${counting.punctuation}${counting.arabic_diacritics}${counting.half_width} ${text}`;
    if (!known.has(key)) known.set(key, compute(text, counting));
    return known.get(key);
  };
}

// Markup, as in subfit/subtitles/markup/tags.py.
const SRT_TAG =
  /\{\\[^{}]*\}|\{[CcFfPSsYyo]:[^{}]*\}|<(\/?)(b|i|u|s|em|strong|bold|italic|underline|strike|font|span|c|v|lang|br)(?:\.[\p{L}\p{N}_.-]+)?(?:[\s=][^<>]*)?\/?(?<!--)>/giu;
const VTT_TAG =
  /<[0-9]+(?::[0-9]+)+(?:\.[0-9]+)?>|<(\/?)([A-Za-z][A-Za-z0-9]*)(?:\.[^\s<>]*)?(?:\s[^<>]*)?\/?(?<!--)>/gu;
const ASS_TAG = /(?<!\\)\{(?:[^{}]*\\p[1-9]\d*(?=[\\}])[^{}]*\}[^]*?(?:(?=\{[^{}]*\\p0)\{[^{}]*\}|$)|[^{}]*\})/g;
const ENTITY = /&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{1,31});?/g;
// In SubRip, as in subfit/subtitles/markup/tags.py.
const WHOLE_ENTITY = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/g;
const RUBY_TEXT = /^<rt\b[^<>]*>(?:(?!<rt\b)[^])*?(?:<\/rt>|(?=<\/ruby>))/;

function tagsOf(format) {
  return format === "srt" ? SRT_TAG : format === "vtt" ? VTT_TAG : format === "ass" ? ASS_TAG : /(?!)/g;
}

// Decodes one entity; what goes to the parser holds neither tags nor spaces.
function decodeEntity(entity) {
  return new DOMParser().parseFromString(entity, "text/html").documentElement.textContent || entity;
}

// Marks in dubbing scripts that are not spoken, as in subfit/subtitles/markup/directions.py.
const DIRECTION = /\[[^\[\]\n]*\]|\([^()\n]*\)|(?<!\S)\/{1,3}(?!\S)/g;
const OF_A_WORD = /^\p{L}\([a-z]{1,2}\)/u;
const SENTENCE_END = /[.?!…][^\p{L}\p{N}_]*$/u;

function isDirection(text, match) {
  if (!match[0].startsWith("(")) return true;
  if (OF_A_WORD.test(text.slice(Math.max(match.index - 1, 0)))) return false;
  const inside = match[0].slice(1, -1).trim();
  const before = text.slice(0, match.index).trim();
  const after = text.slice(match.index + match[0].length).trim();
  if (!before || SENTENCE_END.test(before) || !after.replace(/^[.,;:!?…]+/, "")) return true;
  const capitals = inside === inside.toUpperCase() && inside !== inside.toLowerCase();
  return capitals || inside.split(/\s+/).filter((word) => word).length <= 2;
}

// Whether words would run together if the mark between them was taken out.
function wouldTouch(before, after) {
  return /\S$/.test(before) && /^[^.,;:!?…)\]”’»]/.test(after);
}

function spokenText(text) {
  let [spoken, at] = ["", 0];
  for (const match of text.matchAll(DIRECTION)) {
    if (match.index < at || !isDirection(text, match)) continue;
    const rest = text.slice(match.index + match[0].length);
    const end = text.length - rest.trimStart().length;
    const part = text.slice(at, match.index);
    spoken += end === text.length ? part.trimEnd() : part;
    if (wouldTouch(part, text.slice(end))) spoken += " ";
    at = end;
  }
  return spoken + text.slice(at);
}

// Returns a payload as it is seen on screen, lines kept.
function plainText(payload, format) {
  if (["csv", "tsv", "xlsx"].includes(format)) return spokenText(payload);
  const entity = format === "vtt" ? ENTITY : format === "srt" ? WHOLE_ENTITY : /(?!)/g;
  const decode = (text) => text.replace(entity, decodeEntity);
  const parts = [];
  let at = 0;
  let ruby = -1;
  for (const match of payload.matchAll(tagsOf(format))) {
    if (match.index < at) continue; // within a reading that is left out
    parts.push(decode(payload.slice(at, match.index)));
    const name = (match[2] || "").toLowerCase();
    const base = ruby >= 0 ? payload.slice(ruby, match.index).replace(tagsOf(format), "") : "";
    at = match.index + match[0].length;
    if (name === "br") parts.push("\n");
    if (name === "ruby") ruby = match[1] ? -1 : at;
    if (name === "rt" && base.trim()) {
      const reading = payload.slice(match.index).match(RUBY_TEXT);
      if (reading) at = match.index + reading[0].length;
    }
  }
  parts.push(decode(payload.slice(at)));
  return parts.join("");
}
