import { stories } from '../story.ts'
import { walk } from './walk.ts'

stories('every screen as an administrator', (theatre, look) => void walk('admin', theatre, look))
