import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { call } from '../../../api/call.ts'
import type { Schema } from '../../../ui/editor/schema-completion.ts'
import type { Hints } from '../../../ui/editor/schema-hints.ts'
import { wordsOfKey } from './key-words.ts'

let schema: Promise<Schema> | undefined

/** The public schema of a definition, fetched once, with the texts of the form. */
export const definitionHints: Hints = {
  schema() {
    schema ??= call(definitions.schema).then((text) => JSON.parse(String(text)) as Schema)
    schema.catch(() => (schema = undefined))
    return schema
  },
  words: wordsOfKey,
}
