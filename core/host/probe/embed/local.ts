import { type Result, err, ok, messageOf } from '../../../engine/result.ts'
import { checked, type Engine } from './engine.ts'
import { idOfFolder, readOnnxFolder } from './onnx-folder.ts'
import { type OnnxModel, loadOnnxModel } from './onnx-model.ts'
import { loadOnnxRuntime } from './onnx-runtime.ts'

/** Folder of the packaged runtimes; the repository has no such folder. */
interface LocalOptions {
  readonly runtime: string
  /** Id of a model whose files are known; null = made of the files. */
  readonly id: string | null
}

/**
 * Loads a model of this machine. It embeds one text immediately, to verify that the model returns vectors and to learn
 * their size.
 */
export async function openLocal(path: string, options: LocalOptions): Promise<Result<Engine>> {
  const folder = await readOnnxFolder(path)
  if (!folder.ok) return folder
  let model: OnnxModel
  try {
    model = await loadOnnxModel(await loadOnnxRuntime(options.runtime), folder.value)
  } catch (error) {
    return err(failed(path, 'the model cannot be loaded', error))
  }
  const embed: Engine['embed'] = async (texts, signal) => {
    try {
      return await model.embed(texts, signal)
    } catch (error) {
      return err(failed(path, 'the model failed', error))
    }
  }
  const first = await embed(['warm up'], { aborted: false })
  if (!first.ok) {
    await model.close()
    return first
  }
  const dimensions = first.value[0]?.length ?? 0
  return ok({
    id: options.id ?? (await idOfFolder(folder.value)),
    dimensions,
    remote: false,
    embed: async (texts, signal) => {
      const answer = await embed(texts, signal)
      if (!answer.ok) return answer
      return checked(answer.value, { count: texts.length, dimensions, where: path })
    },
    close: () => model.close(),
  })
}

function failed(where: string, what: string, error: unknown) {
  const detail = messageOf(error).split('\n')[0] ?? ''
  const advice = 'Check that the folder holds a sentence model in ONNX, or choose another embedder'
  return { what: `${what} (${detail.slice(0, 200)})`, where, do: advice }
}
