export { repositoryForBuilds } from './settings.service.ts'
