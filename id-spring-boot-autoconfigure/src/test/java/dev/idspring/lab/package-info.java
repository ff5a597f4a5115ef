/**
 * A laboratory of faults. Workers are JVMs with applications that have generators of all
 * strategies; they reach a database, which is a process of its own, through a proxy. All
 * ids are written to files as they are issued, and so is all that stores say of
 * reservations, and of which commits nobody knows what became of them. {@code Ledger}
 * reads both for ids that came twice, that were not reserved for who issued them, that
 * fell where they should rise, or that are missing although nobody can have lost them,
 * and for callers who waited longer than once. A fault lasts until it is felt by those
 * who must feel it. Faults follow from a seed, and a failure says how to repeat it. Each
 * kind of fault has a test, on one of two databases; FaultLaboratoryTests mixes all of
 * them, on both.
 *
 * <p>
 * Which fault is shown where:
 * <table>
 * <caption>Faults</caption>
 * <tr>
 * <th>fault</th>
 * <th>shown by</th>
 * </tr>
 * <tr>
 * <td>workers killed, frozen, stopped while callers go on; a worker that wakes up after
 * another has taken over</td>
 * <td>WorkerFaultsTests; with rows of an application SeriesKilledProcessesTests,
 * NodesKilledProcessesTests, and KilledProcessTests of the sample</td>
 * </tr>
 * <tr>
 * <td>database stopped, killed, frozen, read-only</td>
 * <td>DatabaseFaultsTests; its machine without power: PostgresqlCrashTests, as far as its
 * own buffers go</td>
 * </tr>
 * <tr>
 * <td>connections cut at any byte, half open in either direction, slow</td>
 * <td>NetworkFaultsTests; a log-in that is never answered: IdsConnectionSourceTests</td>
 * </tr>
 * <tr>
 * <td>connections lost before a statement, before the commit, and after it</td>
 * <td>at every single call of JDBC: AbstractJdbcKeySpaceStoreTests, JdbcSlotStoreTests,
 * JdbcGaplessStoreTests</td>
 * </tr>
 * <tr>
 * <td>disk full, serialization failures, deadlocks</td>
 * <td>InProcessFaultsTests; real ones of locks, deadlocks and, on PostgreSQL,
 * serializable transactions: ResourceFaultsTests</td>
 * </tr>
 * <tr>
 * <td>all connections in use; all of them held by callers in transactions</td>
 * <td>ResourceFaultsTests; AbstractJdbcKeySpaceStoreTests, IdsJdbcAutoConfigurationTests;
 * callers of the laboratory hold them as well</td>
 * </tr>
 * <tr>
 * <td>clocks of workers and of the database moved</td>
 * <td>ResourceFaultsTests, InProcessFaultsTests; further than they may differ:
 * NodesKilledProcessesTests, SimulatedClusterTests, JdbcSlotStoreTests</td>
 * </tr>
 * <tr>
 * <td>two contexts in one JVM</td>
 * <td>WorkerFaultsTests, InProcessFaultsTests, IdsJdbcAutoConfigurationTests</td>
 * </tr>
 * <tr>
 * <td>callers interrupted; no memory left for callers and for those who ask the
 * store</td>
 * <td>ResourceFaultsTests, InProcessFaultsTests; errors in the store:
 * BlockServerTests</td>
 * </tr>
 * </table>
 */
package dev.idspring.lab;
