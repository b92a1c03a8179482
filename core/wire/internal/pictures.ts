import { z } from 'zod'
import { Picture, PictureTheme, SessionStrip } from '../../engine/schema/picture.ts'
import { ReplayConfig } from '../../engine/schema/replay.ts'
import { call } from '../method.ts'

const configs = { config: ReplayConfig, compare: ReplayConfig.nullable() }

/** Requests from the main process to threads, for the picture of a folder. */
export const pictureRows = {
  /** [U155] Returns the sessions of a file as strips; an empty list if the file is not a transcript. */
  'pictures.strips': call(
    'workspace',
    { path: z.string(), ...configs },
    { strips: z.array(SessionStrip), failed: z.boolean() },
    { packed: true },
  ),
  /** [U155] Strips as one picture. */
  'pictures.multiples': call(
    'workspace',
    {
      ...configs,
      title: z.string(),
      theme: PictureTheme,
      strips: z.array(SessionStrip),
      /** Files that could not be read, and that were not looked at. */
      unread: z.int().min(0),
      left: z.int().min(0),
    },
    { picture: Picture },
    { packed: true },
  ),
} as const
