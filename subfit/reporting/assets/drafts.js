// Edits that outlive the page: kept by the browser, for this report in this place, on this machine.

// FNV-1a: another report of the same name must not get the edits.
function checksum(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

// Returns where edits are kept: load() gives { saved, edits } or null, save(edits) tells whether it
// could. Edits are what was changed of a cue, by its number.
function makeDrafts(report) {
  const key = `subfit ${location.pathname} ${checksum(report)}`;
  return {
    load() {
      try {
        const found = JSON.parse(localStorage.getItem(key));
        return found && typeof found.edits === "object" && found.edits ? found : null;
      } catch {
        return null; // no storage for this page, or not ours
      }
    },
    save(edits) {
      try {
        if (Object.keys(edits).length) localStorage.setItem(key, JSON.stringify({ saved: Date.now(), edits }));
        else localStorage.removeItem(key);
        return true;
      } catch {
        return false;
      }
    },
  };
}
