export { TracingButtons } from './source-button.tsx'
