/**
 * Tests that inject faults. Each worker is a process with one or more instances of an
 * application that has one generator of each strategy. The workers reach a database,
 * which is a separate process, through a proxy. A worker writes each issued id to a file,
 * and also each reservation, and each commit whose outcome is unknown. {@code Ledger}
 * reads these files, and finds:
 * <ul>
 * <li>ids that were issued twice, or out of order</li>
 * <li>ids that were issued by an instance that had not reserved them</li>
 * <li>ids that were lost, although no fault explains the loss</li>
 * <li>callers that waited longer than the wait timeout</li>
 * </ul>
 *
 * <p>
 * Most faults last until the files show an effect on the intended generators. A seed
 * determines the sequence of faults. The message of a failure contains the command that
 * repeats this sequence. Each kind of fault has a test on PostgreSQL or MariaDB.
 * {@code FaultLaboratoryTests} mixes all kinds on both databases.
 *
 * <p>
 * The tests that inject each fault:
 * <table>
 * <caption>Faults</caption>
 * <tr>
 * <th>fault</th>
 * <th>tests</th>
 * </tr>
 * <tr>
 * <td>workers killed, frozen, or stopped while callers continue; a worker that resumes
 * after another worker has taken over its series and nodes</td>
 * <td>WorkerFaultsTests; with rows of an application: SeriesKilledProcessesTests,
 * NodesKilledProcessesTests, and KilledProcessTests of the sample</td>
 * </tr>
 * <tr>
 * <td>database stopped, killed, frozen, read-only</td>
 * <td>DatabaseFaultsTests; loss of the database's own buffers, as after a power failure:
 * PostgresqlCrashTests</td>
 * </tr>
 * <tr>
 * <td>connections cut at any byte, half-open in either direction, or slow</td>
 * <td>NetworkFaultsTests; a log-in without a response: IdsConnectionSourceTests</td>
 * </tr>
 * <tr>
 * <td>connections lost before a statement, before the commit, and after it</td>
 * <td>at each JDBC call: AbstractJdbcKeySpaceStoreTests, JdbcSlotStoreTests; in a
 * transaction that has drawn numbers: JdbcGaplessStoreTests</td>
 * </tr>
 * <tr>
 * <td>disk full, serialization failures, deadlocks</td>
 * <td>InProcessFaultsTests; real lock conflicts, deadlocks and, on PostgreSQL,
 * serialization failures: ResourceFaultsTests; a serialization failure at each JDBC call
 * of a gapless draw: JdbcGaplessStoreConflictTests</td>
 * </tr>
 * <tr>
 * <td>all connections in use, or held by callers in transactions</td>
 * <td>ResourceFaultsTests; AbstractJdbcKeySpaceStoreTests, IdsJdbcConnectionTests; some
 * callers of the workers also hold connections</td>
 * </tr>
 * <tr>
 * <td>clocks of workers and of the database changed</td>
 * <td>ResourceFaultsTests, InProcessFaultsTests; by more than the tolerated difference:
 * NodesKilledProcessesTests, SimulatedClusterTests, JdbcSlotStoreTests</td>
 * </tr>
 * <tr>
 * <td>two contexts in one JVM</td>
 * <td>WorkerFaultsTests, InProcessFaultsTests, IdsJdbcAutoConfigurationTests</td>
 * </tr>
 * <tr>
 * <td>callers interrupted; no memory left for callers or for threads that call the
 * store</td>
 * <td>ResourceFaultsTests, InProcessFaultsTests; errors in the store:
 * BlockEngineFailureTests</td>
 * </tr>
 * </table>
 */
package dev.idspring.lab;
