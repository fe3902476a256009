export { isOthersProject, namesInHarbor } from './contents/names.service.ts'
