package dev.idspring.benchmarks.faults;

import java.time.Duration;
import java.util.Locale;

/**
 * A fault to which {@linkplain Peer peers}, the compared ways to create ids, are exposed.
 */
public enum Fault {

	/** Instances in one JVM that have the same host name, address and process id. */
	LOOK_ALIKES("200 look-alikes", """
			Two hundred instances start at the same time in separate class loaders of one JVM, so they have the same
			host name, address and process id. If the node of a peer is set, each instance has a different node. Each
			peer has its own JVM, and the startup does not count as time without an id.""") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startLookAlikes();
			scene.begin();
			scene.draw(8);
		}

	},

	/** Processes that have the same host name and process id. */
	CONTAINERS("10 containers", """
			Ten processes start at the same time in separate PID and host-name namespaces: each has the process id 1,
			and all have the same host name. If the node of a peer is set, each process has a different node. The
			startup does not count as time without an id.""") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startContainers();
			scene.begin();
			scene.draw(8);
		}

	},

	/** A clock that is set back a little. */
	CLOCK_BACK_2_S("clock back 2 s", "The clock of one of two processes is set back by 2 s while they run.") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.setClock(-2);
			scene.draw(8);
		}

	},

	/** A clock that is set back a lot. */
	CLOCK_BACK_1_H("clock back 1 h", "The clock of one of two processes is set back by 1 h while they run.") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.setClock(-3600);
			scene.draw(8);
		}

	},

	/** A clock that is set back while the process is not running. */
	CLOCK_BACK_WHILE_DOWN("clock back while down", """
			One of two processes is stopped normally. Its clock is set back to the time at which the process was
			started, and the process is started again with the same node and disk.""") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(8);
			scene.begin();
			scene.stop(1);
			scene.setClockToStart();
			scene.start(1);
			scene.draw(8);
		}

	},

	/** A process that is killed. */
	KILL("kill -9", "One of two processes is killed in the middle of a block, and started again.") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.kill(1);
			scene.start(1);
			scene.draw(5);
		}

	},

	/** A process that is suspended for longer than a lease. */
	FROZEN("frozen 35 s", """
			One of two processes is frozen for 35 s (SIGSTOP), which is longer than any peer's lease. A third process is
			started in the meantime.""") {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.freeze(1);
			scene.start(3);
			scene.waitFor(35);
			scene.thaw(1);
			scene.draw(5);
		}

	},

	/** Transactions of callers that are rolled back. */
	ROLL_BACK("rollback", """
			Two processes draw each id in a Spring transaction, and half of these transactions are rolled back. An id
			counts as drawn even if its transaction was rolled back.""") {

		@Override
		void run(Scene scene) throws Exception {
			scene.rollBackTransactions();
			scene.startTwo();
			scene.begin();
			scene.draw(8);
		}

	},

	/** A fail-over to a replica that lacks recent commits. */
	LAGGING_REPLICA("lagging replica promoted", """
			The replica receives nothing for three to four seconds. Then the primary is killed and the replica is
			promoted while two processes are running.""", Needs.REPLICA) {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.site().cutReplica();
			scene.draw(3);
			scene.begin();
			scene.site().failOver();
			scene.draw(12);
		}

	},

	/** Two successive fail-overs, each to a replica that lacks recent commits. */
	LAGGING_REPLICA_TWICE("lagging replica promoted, twice", """
			The fault above happens twice. A second replica replicates from the promoted one. About twelve seconds after
			the promotion, the second replica receives nothing for three to four seconds. Then the promoted replica is
			killed and the second one is promoted.""", Needs.TWO_REPLICAS) {

		@Override
		void run(Scene scene) throws Exception {
			LAGGING_REPLICA.run(scene);
			scene.site().cutReplica();
			scene.draw(3);
			scene.site().failOver();
			scene.draw(12);
		}

	},

	/**
	 * A fail-over, followed by a return to the first server, which lacks the later
	 * commits.
	 */
	FAIL_BACK("fail-over and back", """
			The replica is promoted with all commits, or all but the last ones. About ten seconds later, it is killed,
			and the first primary is started again with its old data, which lacks everything that was written after the
			promotion. A third process is started afterwards.""", Needs.REPLICA) {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.site().cutReplica();
			scene.site().failOver();
			scene.draw(10);
			scene.site().failBack();
			scene.draw(4);
			scene.start(3);
			scene.draw(4);
		}

	},

	/** A store that does not answer. */
	CUT_OFF("store cut off 10 s",
			"The server is frozen for 10 s: connections stay open, but the server does not answer.", Needs.STORE) {

		@Override
		void run(Scene scene) throws Exception {
			scene.cutOff(10);
		}

	},

	/** A store that does not answer for longer than a lease. */
	CUT_OFF_60_S("store cut off 60 s", """
			The server is frozen for 60 s, which is longer than any peer's lease. Connections stay open.""",
			Needs.STORE) {

		@Override
		void run(Scene scene) throws Exception {
			scene.cutOff(60);
		}

	},

	/** A server that acknowledges commits before they are on disk, and is then killed. */
	LOST_COMMITS("server killed, commits in memory", """
			The server acknowledges commits that are not on disk (PostgreSQL: `synchronous_commit=off`,
			`wal_writer_delay=10s`; MariaDB: `innodb_flush_log_at_trx_commit=0`; Valkey: `appendonly no`). It is killed
			and started again.""", Needs.STORE) {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(5);
			scene.begin();
			scene.site().crash();
			scene.draw(6);
		}

	},

	/** A restored backup. */
	BACKUP("restored backup", """
			The server's files are replaced by a copy that is about six seconds old, while two processes are running. A
			third process is started afterwards.""", Needs.STORE) {

		@Override
		void run(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(3);
			scene.site().backUp();
			scene.draw(6);
			scene.begin();
			scene.site().restore();
			scene.draw(4);
			scene.start(3);
			scene.draw(4);
		}

	};

	private final String title;

	private final String description;

	private final Needs needs;

	Fault(String title, String description) {
		this(title, description, Needs.NOTHING);
	}

	Fault(String title, String description, Needs needs) {
		this.title = title;
		this.description = description.replace('\n', ' ');
		this.needs = needs;
	}

	/**
	 * Run the scene: start processes that draw ids, and cause the fault.
	 */
	abstract void run(Scene scene) throws Exception;

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return the description in the report.
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Return how many replicas the store must have for this fault.
	 */
	int replicas() {
		return switch (this.needs) {
			case NOTHING, STORE -> 0;
			case REPLICA -> 1;
			case TWO_REPLICAS -> 2;
		};
	}

	boolean movesClock() {
		return this == CLOCK_BACK_2_S || this == CLOCK_BACK_1_H || this == CLOCK_BACK_WHILE_DOWN;
	}

	/**
	 * Return whether the fault affects the store. Such a fault has no effect on peers
	 * without a store.
	 */
	public boolean affectsStore() {
		return this.needs != Needs.NOTHING;
	}

	/**
	 * Return how long processes draw at full speed at the end of the scene: zero, unless
	 * the fault can make the store lose commits. Such a store may reserve the same
	 * numbers twice. An instance issues these numbers only after those that it already
	 * has in memory, so it draws at full speed to use those up.
	 */
	Duration fullSpeedTime() {
		return (affectsStore() && this != CUT_OFF && this != CUT_OFF_60_S) ? Duration.ofSeconds(6) : Duration.ZERO;
	}

	/**
	 * Return the name of the fault on the command line.
	 */
	public String option() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private enum Needs {

		NOTHING, STORE, REPLICA, TWO_REPLICAS

	}

}
