export { deployImage } from './deploy.service.ts'
export { createStack, removeStack } from './stacks.service.ts'
