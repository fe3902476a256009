import { isPhrase, t } from '../../../api/language.ts'
import { keyPhrases } from './key-phrases.ts'

/** The phrases of values, by their prefix and suffix. */
const values: Record<string, [before: string, after?: string]> = {
  'stage.mode': ['pipelines-ui-mode-', '-name'],
  'job.executor': ['pipelines-ui-job-executor-'],
  'when.result': ['pipelines-ui-when-result-'],
  'step.type': ['pipelines-ui-step-'],
  'checkout.submodules': ['pipelines-ui-submodules-'],
  'image.method': ['pipelines-ui-method-'],
}

/** Placeholders that are inserted into texts literally. */
const placeholders = { hash: '${hash:package-lock.json}', output: '${outputs.step.KEY}', variable: '${variables.NAME}' }

const text = (key: string | undefined): string | undefined =>
  key !== undefined && isPhrase(key) ? t(key, placeholders) : undefined

/** The form's label for a key of the definition, or for one of its values, and its help: `stages.steps.script.run`. */
export function wordsOfKey(path: string, value?: string): { name?: string | undefined; help?: string | undefined } {
  const own = path
    .replace(/^.*\.when\./, 'when.')
    .replace(/^stages\.(jobs\.)?steps\./, '')
    .replace(/^stages\.jobs\./, 'job.')
    .replace(/^stages\./, 'stage.')
  const common = `step.${own.replace(/^[^.]*\./, '')}`
  if (value !== undefined) {
    const [before, after = ''] = values[own] ?? values[common] ?? ['']
    return { name: text(`${before}${value}${after}`), help: text(`${before}${value}-help`) }
  }
  const [label, help] = keyPhrases[own] ?? keyPhrases[common] ?? []
  return { name: text(label), help: text(help) }
}
