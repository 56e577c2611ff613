// Give each generated endpoint the success statuses that openapi.json declares for it. The generator cannot.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { schemaFile, outputFiles } = createRequire(import.meta.url)('./codegen.cjs');

const declared = Object.values(JSON.parse(readFileSync(schemaFile, 'utf8')).paths)
  .flatMap((path) => Object.values(path))
  .map(({ operationId, responses }) => [
    operationId,
    Object.keys(responses).filter((status) => status < '400'),
  ]);
const success = new Map(declared);

for (const file of Object.keys(outputFiles)) {
  const written = readFileSync(file, 'utf8').replaceAll(
    /(\w+): build\.(?:query|mutation)<.*?>\(\{/gs,
    (head, name) => `${head} extraOptions: { success: [${success.get(name).join()}] },`,
  );
  writeFileSync(file, written);
}
