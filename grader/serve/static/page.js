// What a script adds: the editor, the verdict in place, drafts that are kept while one types, and a
// board that is alive. Without it, every page works by its forms.

localise(document);

// A platform opened this page, and closes it.
document.querySelector("[data-lti-close]")?.addEventListener("click", () => {
  (window.opener ?? window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
});

// On a phone the editor stands below a task that is folded.
const told = document.querySelector("details.told");
if (told && matchMedia("(max-width: 63.99rem)").matches) told.open = false;

const form = document.getElementById("answer");
if (form) work(form);

const live = document.getElementById("live");
if (live) setInterval(async () => {
  if (document.hidden || live.contains(document.activeElement)) return;
  const answer = await fetch(live.dataset.live).catch(() => null);
  if (!answer?.ok) return;
  const left = live.querySelector(".scrolls").scrollLeft;
  live.innerHTML = await answer.text();
  live.querySelector(".scrolls").scrollLeft = left;
}, 5000);

// A time in a form is one of the reader's own zone.
const zone = document.querySelector("[data-zone]");
if (zone) {
  zone.textContent = "in your own time zone";
  zone.closest("form").addEventListener("formdata", event => {
    const at = event.formData.get("extension");
    const minutes = at ? -new Date(at).getTimezoneOffset() : 0, size = Math.abs(minutes);
    const digits = [Math.floor(size / 60), size % 60].map(n => String(n).padStart(2, "0"));
    event.formData.set("zone", `${minutes < 0 ? "-" : "+"}${digits.join(":")}`);
  });
}

async function work(form) {
  const text = form.elements.text, kept = document.getElementById("kept");
  const verdict = document.getElementById("verdict");
  const name = `draft ${form.dataset.person} ${form.dataset.draft}`;
  let editor = null, saved = text.value;

  // A newer text of this browser, which the server didn't get, comes back.
  const before = read(name);
  const isBack = new URLSearchParams(location.search).has("back");
  if (before && !isBack && before.server === saved && before.text !== saved) text.value = before.text;

  try {
    editor = (await import("/static/editor.js")).mount(text);
  } catch { typeCode(text); }
  document.getElementById("keys").hidden = false;

  const say = words => { kept.textContent = words; };
  text.addEventListener("input", () => {
    localStorage.setItem(name, JSON.stringify({ text: text.value, server: saved }));
    say("");
  });
  setInterval(save, 4000);
  addEventListener("pagehide", () => { if (text.value !== saved) send(true); });

  async function save() {
    if (text.value === saved) return;
    const now = text.value;
    const answer = await send(false);
    if (answer?.ok) {
      saved = now;
      localStorage.setItem(name, JSON.stringify({ text: text.value, server: saved }));
      say("Draft saved.");
    } else say(`${await why(answer)} Your text is saved in this browser.`);
  }
  function send(keepalive) {
    return fetch(form.dataset.draft, {
      method: "POST", keepalive, headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ text: text.value, as: form.elements.as.value }),
    }).catch(() => null);
  }

  let sending = false;
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    const old = [...verdict.children].filter(one => one.id !== "refusal");
    verdict.textContent = "Sending…";
    // The same key again is the same attempt, so a lost answer makes no second one.
    const body = JSON.stringify({ text: text.value, as: form.elements.as.value });
    const key = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());
    let answer = null;
    for (let tries = 0; tries < 4 && !answer; tries++) {
      if (tries) await new Promise(done => setTimeout(done, 1000 * tries));
      answer = await fetch(form.dataset.api, {
        method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key },
        body,
      }).catch(() => null);
    }
    sending = false;
    save();
    if (answer?.ok) {
      const said = await answer.json();
      return follow(said.id, said);
    }
    // What the last attempt said can still be read.
    const refusal = document.createElement("p");
    refusal.id = "refusal";
    refusal.className = "problem";
    refusal.textContent = await why(answer);
    verdict.replaceChildren(refusal, ...old);
  });
  const trial = document.getElementById("trial"), tried = document.getElementById("tried");
  trial.addEventListener("submit", async event => {
    event.preventDefault();
    tried.textContent = "Computing…";
    const answer = await fetch(trial.action, {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({
        text: text.value, expression: trial.elements.expression.value, as: form.elements.as.value,
      }),
    }).catch(() => null);
    if (answer?.ok) tried.innerHTML = await answer.text();
    else tried.textContent = await why(answer);
  });
  if (verdict.dataset.attempt) follow(verdict.dataset.attempt, null);

  function follow(id, first) {
    const since = Date.now();
    if (first) show(first);
    const events = new EventSource(`/api/v1/attempts/${id}/events`);
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED) setTimeout(follow, 5000, id, null);
    };
    events.onmessage = async event => {
      const now = JSON.parse(event.data);
      if (now.state !== "done") return show(now);
      events.close();
      const answer = await fetch(`/attempts/${id}/verdict`).catch(() => null);
      if (!answer?.ok) { verdict.textContent = "Open the page again to see the result."; return; }
      verdict.innerHTML = await answer.text();
      localise(verdict);
      renew();
      const line = now.result?.tests.map(test => test.advice?.line).find(n => n);
      editor?.markLine(line ?? null);
    };
    function show(now) {
      if (now.state === "judging") {
        verdict.textContent = now.of ? `Judging: ${now.done} of ${now.of} tests…` : "Judging…";
      } else if (Date.now() - since > 2000) {
        const ahead = now.ahead ? `${now.ahead} before yours.` : "Yours is next.";
        verdict.textContent = `${ahead} Your attempt is kept; you may close the page.`;
      } else verdict.textContent = "Waiting…";
    }
  }
}

// Without the editor, the text area has its keys: Ctrl-Enter checks, Tab and Enter indent.
function typeCode(text) {
  let leaves = false; // Esc, then Tab, moves on
  text.addEventListener("keydown", event => {
    const isTab = event.key === "Tab" && !event.shiftKey && !leaves;
    leaves = event.key === "Escape";
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) text.form.requestSubmit();
    else if (isTab) insert("    ");
    else if (event.key === "Enter" && !event.shiftKey) insert(`\n${indentation()}`);
    else return;
    event.preventDefault();
  });
  // Typed, so that Ctrl-Z takes it back.
  function insert(words) { document.execCommand("insertText", false, words); }
  function indentation() {
    const line = text.value.slice(0, text.selectionStart).split("\n").at(-1);
    return line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : "");
  }
}

// What else a result changes: the list of attempts, and the explanation.
async function renew() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of ["attempts", "explained"]) {
    const old = document.getElementById(name), now = page.getElementById(name);
    if (!now || old.contains(document.activeElement)) continue;
    localise(now);
    const isOpen = old.querySelector("details")?.open;
    old.replaceWith(now);
    if (isOpen) now.querySelector("details").open = true;
  }
}

// Why the server didn't do it.
async function why(answer) {
  if (!answer) return "The server doesn't answer.";
  if (answer.status === 401) return "You are signed out.";
  return (await answer.json().catch(() => null))?.error ?? "The server failed.";
}

// Times in the reader's own zone.
function localise(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!isNaN(at)) time.textContent = at.toLocaleString();
  }
}

function read(name) {
  try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
}
