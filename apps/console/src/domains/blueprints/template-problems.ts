import { checkTemplate } from '@gantry/tosca/compile'
import type { Problem } from '@gantry/tosca/problems'
import { isPhrase, t } from '../../api/language.ts'
import type { Problem as Shown } from '../../ui/editor/yaml-editor.tsx'

const words = (key: string, vars: Problem['vars']): string => (isPhrase(key) ? t(key, vars) : key)

/** Problems that the editor's own syntax check reports already. */
const isSyntax = ({ key }: Problem): boolean => key === 'blueprints-tosca-yaml' || key === 'blueprints-tosca-key-twice'

/** The problems of a template except those of its syntax, by line and column. */
export const templateProblems = (text: string): Shown[] =>
  checkTemplate(text)
    .problems.filter((problem) => !isSyntax(problem))
    .map(({ line, column, key, vars, reason }) => ({
      line,
      column,
      text: words(key, reason ? { ...vars, reason: words(reason.key, reason.vars) } : vars),
    }))
