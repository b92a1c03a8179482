import { z } from 'zod'
import type { Database } from '../../host/batch/duckdb.ts'
import { CommandError } from '../kit/output.ts'

/** DuckDB's number of statements that answer with rows: SELECT, FROM, VALUES, SHOW, DESCRIBE, SUMMARIZE. */
const SELECT = 1

/**
 * Functions of DuckDB that give tables and only read. Others write where a statement may read (`enable_logging`), or run
 * a text that the plan does not show (`json_execute_serialized_sql`). One that is new stays out until it is listed.
 */
const READS: readonly RegExp[] = [
  /^(?:read_(?:csv|json|ndjson|parquet|text|blob)(?:_\w+)?|glob|sniff_csv)$/u,
  /^parquet_(?:scan|schema|metadata|bloom_probe|\w+_metadata)$/u,
  /^(?:range|generate_series|unnest|repeat|repeat_row|json_each|json_tree|summary|seq_scan)$/u,
  /^(?:duckdb_\w+|pragma_\w+|pg_timezone_names|icu_calendar_names|which_secret)$/u,
  /^(?:test_all_types|test_vector_types|sql_auto_complete|check_peg_parser)$/u,
]

/** [F220] Refuses what is not one statement that reads. Nothing of the statement is run. */
export async function checkReads({ connection, rows }: Database, query: string): Promise<void> {
  const asked = withoutExplain(query)
  const statements = await connection.extractStatements(asked)
  const only = statements.count === 1 ? await statements.prepare(0) : null
  const isSelect = Number(only?.statementType) === SELECT
  only?.destroySync()
  if (!isSelect) throw refused('this is not one statement that only reads')
  const [plan] = await rows(`EXPLAIN (FORMAT json) ${asked}`)
  const nodes = PLAN.parse(JSON.parse(String(plan?.[1])))
  const other = functionsOf(nodes).find((name) => !READS.some((known) => known.test(name)))
  if (other !== undefined) throw refused(`the function ${other} may do more than read`)
}

/** The statement that is explained: EXPLAIN ANALYZE runs it. */
function withoutExplain(query: string): string {
  return query.replace(/^\s*EXPLAIN\s+(?:ANALYZE\s+)?/iu, '')
}

interface PlanNode {
  readonly extra_info: Readonly<Record<string, unknown>>
  readonly children: readonly PlanNode[]
}

const NODE: z.ZodType<PlanNode> = z.object({
  extra_info: z.record(z.string(), z.unknown()),
  children: z.array(z.lazy(() => NODE)),
})
const PLAN = z.array(NODE)

/** Names of the functions that a plan calls for tables; those of its second key get rows of the statement. */
function functionsOf(nodes: readonly PlanNode[]): readonly string[] {
  return nodes.flatMap(({ extra_info: info, children }) => [
    ...[info['Function'], info['Name']]
      .filter((name) => typeof name === 'string')
      .map((name) => name.toLowerCase()),
    ...functionsOf(children),
  ])
}

function refused(what: string): CommandError {
  return new CommandError({
    what,
    where: 'sql',
    do: 'Write one SELECT (a PIVOT names its values with IN). To run any statement, give --unsafe-sql',
  })
}
