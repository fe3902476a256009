export { BlueprintList } from './list/blueprint-list.tsx'
export {
  CreateDialog as CreateBlueprintDialog,
  ImportDialog as ImportBlueprintDialog,
} from './list/blueprint-dialogs.tsx'
export { paramsOf as blueprintParams } from './places.ts'
export { DeployForm } from './release/deploy-form.tsx'
export { Plan } from './release/plan.tsx'
export { ReleaseBar } from './release/release-bar.tsx'
export { Send } from './release/send.tsx'
export { SaveStackDialog } from './release/save-stack-dialog.tsx'
export { UpgradeDialog } from './release/upgrade-dialog.tsx'
export { templateProblems } from './template-problems.ts'
