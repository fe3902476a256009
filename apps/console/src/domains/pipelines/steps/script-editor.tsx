import { CodeField, type CodeFieldProps } from '../../../ui/editor/code-field.tsx'
import { shell } from './shell-language.ts'

/** A shell script's editor, in a file of its own: it is loaded where one is drawn. */
export const ScriptEditor = (props: Omit<CodeFieldProps, 'language'>) => <CodeField {...props} language={shell} />
