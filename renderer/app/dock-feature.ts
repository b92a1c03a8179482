import type { Feature } from './feature.ts'
import { toggleDock } from './dock.ts'

export const dock: Feature = {
  commands: {
    Lab: { dock: ['d', 'Open or close the dock', toggleDock] },
  },
}
