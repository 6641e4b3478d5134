"use strict";
/* Sorts, searches and filters what is already in the page. */
(() => {
  const one = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const title = document.title;
  const body = one("#students tbody");
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const controls = Object.fromEntries(
    ["search", "exercise", "outcome", "cause"].map((id) => [id, document.getElementById(id)]),
  );
  const students = all("tr", body).map((row, place) => ({
    row,
    place,
    page: document.getElementById(`s${place + 1}`),
    name: one("th bdi", row).textContent,
    folded: fold(one("th", row).textContent),
    mark: Number(row.dataset.mark),
    passed: row.dataset.o.split("p").length - 1,
    outcomes: row.dataset.o,
    causes: new Set(row.dataset.c.split(" ")),
  }));
  let order = students;
  let scrolled = 0;

  function fold(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function matches(student, wanted) {
    if (!student.folded.includes(wanted.search)) return false;
    if (wanted.cause && !student.causes.has(wanted.cause)) return false;
    if (!wanted.outcome) return true;
    const asked = wanted.exercise ? student.outcomes[Number(wanted.exercise)] : student.outcomes;
    return wanted.outcome === "!" ? /[^p]/.test(asked) : asked.includes(wanted.outcome);
  }

  function filter() {
    const wanted = Object.fromEntries(
      Object.entries(controls).map(([id, control]) => [id, control ? control.value : ""]),
    );
    wanted.search = fold(wanted.search.trim());
    if (wanted.exercise && !wanted.outcome) wanted.outcome = controls.outcome.value = "!";
    let count = 0;
    for (const student of students) {
      const isShown = matches(student, wanted);
      count += isShown;
      student.row.hidden = !isShown;
      student.page.classList.toggle("out", !isShown);
    }
    const isWhole = count === students.length;
    one("#shown").textContent = isWhole ? `${count} students` : `${count} of ${students.length} students`;
    one("#reset").hidden = isWhole && !Object.values(wanted).some(Boolean);
    one("#nobody").hidden = count > 0;
  }

  function sort(heading, direction) {
    const key = heading.dataset.key;
    for (const other of all("#students thead th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    order = [...students].sort(
      (a, b) =>
        direction * (key === "name" ? collator.compare(a.name, b.name) : a[key] - b[key]) ||
        a.place - b.place,
    );
    const fragment = document.createDocumentFragment();
    for (const student of order) fragment.append(student.row);
    body.append(fragment);
  }

  function button(text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }

  /* Where a page's links lead follows the order and the filter of the table. */
  function neighbours(student) {
    const shown = order.filter((other) => !other.row.hidden || other === student);
    const place = shown.indexOf(student);
    return { previous: shown[place - 1], next: shown[place + 1] };
  }

  function here() {
    return students.find((student) => `#${student.page.id}` === location.hash);
  }

  function route() {
    const student = here();
    document.title = student ? `${student.name} · ${title}` : title;
    if (!student) {
      scrollTo(0, scrolled);
      return;
    }
    for (const [kind, other] of Object.entries(neighbours(student))) {
      const link = one(`nav .${kind}`, student.page);
      if (!link) continue;
      link.hidden = !other;
      if (other) link.href = `#${other.page.id}`;
    }
    scrollTo(0, 0);
    one("h1", student.page).focus({ preventScroll: true });
  }

  for (const heading of all("#students thead th[data-key]")) {
    const text = heading.textContent;
    heading.textContent = "";
    heading.append(
      button(text, () => {
        const given = heading.getAttribute("aria-sort");
        const isFirst = heading.dataset.key === "name" ? 1 : -1;
        sort(heading, given ? (given === "ascending" ? -1 : 1) : isFirst);
      }),
    );
  }

  for (const row of all(".causes li")) {
    row.append(
      button("Show students", () => {
        reset();
        controls.cause.value = row.dataset.cause;
        filter();
        one(".everybody").scrollIntoView();
        controls.cause.focus({ preventScroll: true });
      }),
    );
  }
  /* Which exercise a bar stands for. */
  const exercises = all(".rates summary .id").map((found) => found.textContent);
  const words = Object.fromEntries(
    [...controls.outcome.options].map((option) => [option.value, option.textContent]),
  );
  body.addEventListener("mousemove", (event) => {
    const drawn = event.target.closest(".strip");
    if (!drawn) return;
    const box = drawn.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * exercises.length);
    const outcome = words[drawn.closest("tr").dataset.o[place]];
    if (outcome) drawn.parentElement.title = `${exercises[place]}: ${outcome}`;
  });

  const rest = all(".causes .rest");
  if (rest.length) {
    const list = one(".causes ol");
    list.classList.add("short");
    const more = button(`${rest.length} more`, () => {
      list.classList.remove("short");
      more.remove();
    });
    list.after(more);
  }

  const rates = one(".rates");
  const legend = one(".exercises .head");
  let isByRate = false;
  const rank = button("Hardest first", () => {
    isByRate = !isByRate;
    rank.textContent = isByRate ? "Course order" : "Hardest first";
    const by = (row) => Number(isByRate ? row.dataset.rate : row.dataset.place);
    rates.append(...all("details", rates).sort((a, b) => by(a) - by(b) || a.dataset.place - b.dataset.place));
  });
  legend.append(rank);

  function reset() {
    for (const control of Object.values(controls)) if (control) control.value = "";
  }

  const form = one(".controls");
  form.hidden = false;
  for (const kind of ["input", "change"]) form.addEventListener(kind, filter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = order.find((student) => !student.row.hidden);
    if (first) location.hash = first.page.id;
  });
  one("#reset").addEventListener("click", () => {
    reset();
    filter();
  });
  one("#students").addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    if (row && !getSelection().toString()) location.hash = one("a", row).hash;
  });
  document.addEventListener("click", () => {
    if (!here()) scrolled = scrollY;
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    const student = here();
    if (event.key === "/" && !student) {
      event.preventDefault();
      controls.search.focus();
    } else if (student && event.key === "Escape") {
      location.hash = "class";
    } else if (student && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const next = neighbours(student)[event.key === "ArrowLeft" ? "previous" : "next"];
      if (next) location.hash = next.page.id;
    }
  });
  addEventListener("hashchange", route);
  filter();
  if (here()) route();
})();
