// What an editor shows for a document: the language service that VS Code has for JSON, with the settings of the page.
// Arguments: its folder, the settings, the schema, the name of the document, its text with `|` where the cursor is.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [folder, settings, schema, name, marked] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const service = getLanguageService({});
const [{ fileMatch }] = JSON.parse(settings)["json.schemas"];
service.configure({
  validate: true,
  schemas: [{ uri: "file:///documents/opendyn.schema.json", fileMatch, schema: JSON.parse(readFileSync(schema)) }],
});

const at = marked.indexOf("|");
const document = TextDocument.create(`file:///project/${name}`, "json", 1, marked.replace("|", ""));
const position = document.positionAt(at);
const json = service.parseJSONDocument(document);
const text = (content) => (typeof content === "string" ? content : (content?.value ?? ""));
const { items } = await service.doComplete(document, position, json);
const hover = await service.doHover(document, position, json);
const findings = await service.doValidation(document, json);
console.log(
  JSON.stringify({
    completions: Object.fromEntries(items.map((item) => [item.label, text(item.documentation)])),
    hover: [hover?.contents ?? []].flat().map(text).join("\n"),
    findings: findings.map(({ message, range }) => ({ message, text: document.getText(range) })),
  }),
);
