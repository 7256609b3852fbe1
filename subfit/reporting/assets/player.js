// A film or its sound from this machine: plays the cue one stands on, its translation over the picture.

// Returns { node, chooser, play, seek, show }. `ready()` is called when a film is opened, `follow(item)`
// with the cue that is seen while it runs, `tell(text)` with what goes wrong.
function makePlayer(items, languages, { ready, follow, tell }) {
  const video = make("video", { controls: true, playsinline: true, tabindex: "0", "aria-label": "Film" });
  const node = make("section", { id: "film", "aria-label": "Film", hidden: true }, video);
  const track = video.addTextTrack("subtitles", "Translation", languages.target);
  const itemOfShown = new Map();
  let until = Infinity;
  track.mode = "showing"; // the browser draws it, on a full screen too

  const chooser = make("label", { class: "file" }, "Film or sound ", make("input", {
    type: "file", accept: "video/*,audio/*,.mkv",
    on: { change: ({ target }) => target.files.length && open(target.files[0]) },
  }));

  function open(file) {
    URL.revokeObjectURL(video.src);
    video.src = URL.createObjectURL(file);
    node.hidden = false;
    tell("");
    document.body.classList.add("has-film");
    for (const item of items) if (!item.shown && item.cue.start !== null) add(item);
    ready();
  }

  function add(item) {
    item.shown = new VTTCue(0, 0, "");
    if (/\\an[789]|^<[^>]*line:0/.test(item.cue.payload)) item.shown.line = 0;
    itemOfShown.set(item.shown, item);
    show(item);
    track.addCue(item.shown);
  }

  // Brings what is over the picture up to date.
  function show({ cue, text, shown }) {
    if (!shown) return;
    Object.assign(shown, { startTime: cue.start / 1000, endTime: cue.end / 1000, text: encodeBody(text, "vtt") });
  }

  // Plays a cue from its in-time to its out-time, or stops.
  function play({ cue }) {
    if (node.hidden) return tell("Open the film first, or its sound: “Film or sound” above the cues");
    if (!video.paused) return video.pause();
    seek({ cue });
    until = cue.end / 1000;
    video.play().then(watch, (error) => tell(error.message));
  }

  function watch() {
    if (video.paused) return;
    if (video.currentTime < until) return requestAnimationFrame(watch);
    video.pause();
    video.currentTime = until - 0.001; // its last picture
  }

  // Shows the first picture that a cue is seen on, or the last.
  function seek({ cue }, side = "start") {
    if (node.hidden || !video.paused || cue.start === null) return;
    video.currentTime = (side === "start" ? cue.start + 1 : cue.end - 1) / 1000;
  }

  video.addEventListener("pause", () => (until = Infinity));
  video.addEventListener("error", () => tell("The browser cannot play this file; MP4 (H.264, AAC) and WebM play everywhere"));
  track.addEventListener("cuechange", () => {
    const [first] = track.activeCues;
    if (first && !video.paused) follow(itemOfShown.get(first));
  });
  return { node, chooser, play, seek, show };
}
