import { stories } from '../story.ts'
import { walk } from './walk.ts'

stories('every screen as an administrator', (suite, look) => void walk('admin', suite, look))
