// The code editor of the page of a task. Without it, the page keeps its textarea.
import { defaultKeymap, history, historyKeymap, indentWithTab, simplifySelection } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The page's own colours are inherited. Those of the code have a contrast of at least 4.5 to 1.
const colours = new CSSStyleSheet();
colours.replaceSync(`
  :host {
    --e-card: var(--card, #fff); --e-ink: var(--ink, #1d2126); --e-line: var(--line, #e2e3e0);
    --e-accent: var(--accent, #2f5d8a); --e-soft: var(--soft, #5b636e);
    --e-word: #7b2f94; --e-text: #1d6b38; --e-number: #8f4300;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --e-card: var(--card, #1c2024); --e-ink: var(--ink, #e7e9ea); --e-line: var(--line, #31363b);
      --e-accent: var(--accent, #8ab8e6); --e-soft: var(--soft, #a2abb4);
      --e-word: #d7a9f2; --e-text: #93d3a2; --e-number: #f0b47c;
    }
  }`);
const look = EditorView.theme({
  "&": {
    color: "var(--e-ink)", backgroundColor: "var(--e-card)", border: "1px solid var(--e-line)", borderRadius: "6px",
    fontSize: "0.875rem",
  },
  "&.cm-focused": { outline: "2px solid var(--e-accent)", outlineOffset: "2px" },
  ".cm-scroller": { minHeight: "14em", maxHeight: "70vh", lineHeight: "1.5", fontFamily: "var(--mono, ui-monospace, monospace)" },
  ".cm-content": { caretColor: "var(--e-ink)" },
  ".cm-gutters": { color: "var(--e-soft)", backgroundColor: "var(--e-card)", borderRight: "1px solid var(--e-line)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--e-accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", outline: "1px dashed var(--e-number)" },
  ".cm-marked": {
    backgroundColor: "color-mix(in srgb, var(--e-accent) 14%, var(--e-card))", boxShadow: "inset 3px 0 var(--e-accent)",
  },
});
const code = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--e-word)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--e-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.escape, tags.meta], color: "var(--e-number)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--e-accent)" },
  { tag: tags.comment, color: "var(--e-soft)", fontStyle: "italic" },
]);

const mark = StateEffect.define(); // where the marked line begins, or null
const marked = StateField.define({
  create: () => Decoration.none,
  update: (old, { changes, effects }) => effects.filter((effect) => effect.is(mark)).reduce(
    (_, { value }) => value === null ? Decoration.none : Decoration.set(Decoration.line({ class: "cm-marked" }).range(value)),
    old.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

export function mount(textarea) {
  const host = document.createElement("div");
  host.className = "editor";
  textarea.after(host);
  const submit = () => { textarea.form?.requestSubmit(); return true; };
  // Esc, and then Tab leaves the editor, however long that takes. Any other key ends this.
  const leave = (view) => { simplifySelection(view); view.setTabFocusMode(Infinity); return true; };
  const label = textarea.getAttribute("aria-label") ?? textarea.labels[0]?.textContent.trim() ?? "Code";
  const write = (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, effects: mark.of(null) });
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [colours];
  const view = new EditorView({
    parent: root, root, doc: textarea.value,
    extensions: [
      keymap.of([
        { key: "Ctrl-Enter", run: submit }, { mac: "Cmd-Enter", run: submit }, { key: "Escape", run: leave },
        indentWithTab, ...historyKeymap, ...defaultKeymap,
      ]),
      history(), lineNumbers(), bracketMatching(), indentOnInput(), indentUnit.of("    "), EditorState.tabSize.of(4),
      pythonLanguage, syntaxHighlighting(code), look, marked,
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.domEventHandlers({ blur: (_, view) => view.setTabFocusMode(false) }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        textarea.value = state.doc.toString();
        textarea.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    ],
  });
  textarea.hidden = true;
  for (const one of textarea.labels) one.addEventListener("click", () => view.focus());
  // A browser may fill the form again when one comes back to the page.
  addEventListener("pageshow", () => { if (textarea.value !== view.state.doc.toString()) write(textarea.value); });
  return {
    setText: write,
    markLine(n) {
      const { doc } = view.state;
      const from = n === null ? null : doc.line(Math.min(Math.max(n, 1), doc.lines)).from;
      view.dispatch({ effects: [mark.of(from), ...(n === null ? [] : [EditorView.scrollIntoView(from, { y: "center" })])] });
    },
    focus: () => view.focus(),
  };
}
