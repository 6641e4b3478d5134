// Writes the module that the page loads, and the licences of all that is in it.
import { build } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const out = "../static/editor";
mkdirSync("../static", { recursive: true });
const { metafile } = await build({
  entryPoints: ["editor.js"], outfile: `${out}.js`, bundle: true, minify: true, format: "esm", target: "es2022",
  metafile: true, banner: { js: "/*! CodeMirror and more: editor.LICENSES.txt has the licences. */" }, logLevel: "warning",
});
const { inputs, bytes } = Object.values(metafile.outputs)[0];
const folders = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput)
  .map((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean);
const texts = [...new Set(folders)].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${out}.LICENSES.txt`, texts.join(`\n${"-".repeat(72)}\n\n`));
console.log(`editor.js: ${bytes} bytes, of ${texts.length} packages`);
