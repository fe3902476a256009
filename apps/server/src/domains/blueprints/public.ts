export { withOutdated as shownBlueprint } from './blueprints/blueprints.service.ts'
export { checkText, refuseProblems } from './tosca/check.ts'
export { upgradeOfStep } from './releases/step.service.ts'
