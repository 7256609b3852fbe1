// Making elements. Text only ever becomes text: there is no way here to pass markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// Returns an element; strings among its children become text nodes.
const make = (tag, properties = {}, ...children) =>
  fill(document.createElement(tag), properties, children);
const draw = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), properties, children);
const byId = (id) => document.getElementById(id);

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Numbers as people read them.
const DASH = "–";
const round = (value, digits) => Number(value.toFixed(digits)).toString().replace("-", "−");
const number = (value, digits = 1) =>
  value === null || value === undefined || !Number.isFinite(value) ? DASH : round(value, digits);
const percent = (value, digits = 1) => (value === null ? DASH : `${round(100 * value, digits)} %`);
const counted = (value, thing) => `${value} ${thing}${value === 1 ? "" : "s"}`;

function clock(ms, digits = 3) {
  const sign = ms < 0 ? "-" : "";
  const total = Math.abs(ms);
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  const rest = `${two(total / 3600000)}:${two((total / 60000) % 60)}:${two((total / 1000) % 60)}`;
  const fraction = String(total % 1000).padStart(3, "0").slice(0, digits);
  return sign + rest + (digits ? `.${fraction}` : "");
}

// Hands the user a file; the browser asks nobody for it.
function download(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
