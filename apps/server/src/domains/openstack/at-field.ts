import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Lang } from '../../kernel/context.ts'
import { Fault, type FaultKind, type Vars } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'

/** A refusal that is shown at the field of the form that it is about. */
export const atField = (lang: Lang, path: string, kind: FaultKind, key: PhraseKey, vars: Vars = {}): Fault =>
  new Fault(kind, key, vars, [{ path, key, text: say(lang, key, vars) }])
