export { shown as shownBlueprint } from './blueprints/blueprints.service.ts'
export { checkText, mustBeRight } from './tosca/check.ts'
export { upgradeOfStep } from './releases/step.service.ts'
