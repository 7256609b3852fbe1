// Between what a user types and what the file holds. Nothing here is ever shown as markup.

const ARROW_LINE = /\d\s*:\s*\d.*-+>.*\d\s*:\s*\d/;

// Returns the entities and brackets of WebVTT text as people type them, if that can be undone.
function editable(body, format) {
  if (format !== "vtt") return body;
  const decoded = outsideTags(body, format, (text) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
  return encodeBody(decoded, format) === body ? decoded : body;
}

function outsideTags(text, format, change) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(tagsOf(format))) {
    parts.push(change(text.slice(at, match.index)), match[0]);
    at = match.index + match[0].length;
  }
  parts.push(change(text.slice(at)));
  return parts.join("");
}

// Returns typed text as a format writes it: tags are kept, everything else is text.
function encodeBody(text, format) {
  if (format !== "vtt") return text;
  return outsideTags(text, format, (part) =>
    part
      .replace(/&(?!(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)/g, "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;"),
  );
}

// Returns the lines that may stand in a cue: none is empty, none can be taken for times.
function cleanLines(text, format) {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const kept = lines.filter((line) => line);
  if (format === "txt") return kept.length ? [kept.join(" ")] : [];
  if (format !== "srt") return kept;
  return kept.map((line) =>
    ARROW_LINE.test(line) ? line.replace(/-+>/g, "➝") : line.replaceAll("-->", "→"),
  );
}

// Returns the payload of a cue with other words in it; the markup around all of it stays.
function payloadOf(frame, typed, format) {
  const lines = cleanLines(encodeBody(typed, format), format);
  if (!lines.length) return "";
  const wrapped = lines.map((line) => frame.line_open + line + frame.line_close);
  return frame.prefix + wrapped.join("\n") + frame.suffix;
}

// Returns typed text as it is seen on screen.
function shownText(frame, typed, format) {
  const lines = cleanLines(encodeBody(typed, format), format);
  return plainText(lines.map((line) => frame.line_open + line + frame.line_close).join("\n"), format);
}

// Returns the opening tags of one text that another one lacks.
function missingTags(before, after, format) {
  const opening = (text) =>
    [...text.matchAll(tagsOf(format))].map((match) => match[0]).filter((tag) => tag[1] !== "/");
  const there = opening(after);
  return opening(before).filter((tag) => {
    const at = there.indexOf(tag);
    if (at >= 0) there.splice(at, 1);
    return at < 0;
  });
}

// Returns the whole file with the payload and the times of every cue; subfit/subtitles/formats/layout.py
// has the same.
function fileText(file, items) {
  const lines = [];
  items.forEach(({ payload, moved, cue }, index) => {
    if (file.heads.length) lines.push(moved ? headOf(file.heads[index], cue) : file.heads[index]);
    if (payload || !file.heads.length) lines.push(payload);
  });
  if (file.tail !== null) lines.push(file.tail);
  return (file.bom ? "\ufeff" : "") + lines.join("\n").replaceAll("\n", file.newline);
}

// Parts a text into as many lines as it needs, of like length, best after punctuation. Lines that
// begin with a dash keep their places: there someone else speaks.
function breakLines(text, format, width, count) {
  const paragraphs = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    const speaks = /^[-–—‐]/.test(plainText(line, format));
    if (paragraphs.length && !speaks && line) paragraphs[paragraphs.length - 1] += ` ${line}`;
    else if (line) paragraphs.push(line);
  }
  const measure = (line) => count(plainText(line, format));
  return paragraphs.map((each) => breakParagraph(each, width, measure).join("\n")).join("\n");
}

function breakParagraph(text, width, measure) {
  if (measure(text) <= width) return [text];
  const spaces = [...text.matchAll(/ +(?![^<{]*[>}])/g)];
  const halves = spaces.map((match) => {
    const upper = text.slice(0, match.index);
    const lower = text.slice(match.index + match[0].length);
    const [above, below] = [measure(upper), measure(lower)];
    const uneven = Math.abs(above - below) + (above > below ? 1 : 0);
    const beyond = Math.max(above - width, 0) + Math.max(below - width, 0);
    const good = /[.?!…,;:]["”»]?(<\/\w+>)?$/.test(upper) ? 6 : 0;
    return { lines: [upper, lower], cost: 100 * beyond + uneven - good };
  });
  if (!halves.length) return [text];
  return halves.reduce((best, each) => (each.cost < best.cost ? each : best)).lines;
}
