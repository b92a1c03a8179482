import type { Handlers } from '../../rpc.ts'
import { refusal } from '../names.ts'
import type { LabWorkerContract } from './lab-contract.ts'

function notYet(): never {
  throw refusal({
    what: 'this part of the lab does not work yet',
    where: 'lab',
    do: 'Use another tab',
  })
}

// eslint-disable-next-line require-yield -- a stream that only refuses
async function* notYetStream(): AsyncGenerator<never, void> {
  await Promise.resolve()
  notYet()
}

/** The lab's side of a worker thread. */
export function createLabHandlers(): Handlers<LabWorkerContract> {
  return {
    'lab.open': notYetStream,
    'lab.close': notYet,
    'lab.relabel': notYet,
    'lab.flips': notYetStream,
    'lab.signals': notYet,
    'lab.matches': notYet,
    'lab.marks': notYet,
    'lab.turns': notYet,
    'lab.lint': notYetStream,
    'lab.matrix': notYet,
    'lab.cell': notYet,
    'lab.coverage': notYet,
    'lab.ablation': notYetStream,
    'lab.whatIf': notYetStream,
    'lab.suggest': notYetStream,
    'lab.explain': notYet,
    'draft.load': notYet,
    'draft.keep': notYet,
    'draft.history': notYet,
    'draft.at': notYet,
    'draft.save': notYet,
    'draft.edit': notYet,
    'git.revisions': notYet,
    'labels.get': notYet,
    'labels.set': notYet,
    'labels.outcome': notYet,
    'labels.export': notYet,
  }
}
