import { keepParameters, local } from '../../api/storage.ts'
import { signed } from '../../api/session.ts'

/** A text that was typed but not applied, and when. */
export interface YamlDraft {
  text: string
  at: number
}

/** Drafts are stored in this browser, separately for each user. */
const nameOf = (key: string): string => `draft-${signed.get()?.user.id ?? 0}-${key}`

export const yamlDraft = (key: string): YamlDraft | undefined => local.get<YamlDraft>(nameOf(key))
export const keepYamlDraft = (key: string, text: string): void =>
  local.set(nameOf(key), { text, at: Date.now() } satisfies YamlDraft, keepParameters)
export const dropYamlDraft = (key: string): void => local.remove(nameOf(key))
