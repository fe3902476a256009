export { BringDialog } from './bring-dialog.tsx'
