package dev.idspring.benchmarks.faults;

import java.time.Duration;
import java.util.Locale;

/**
 * What happens to all peers of a store at the same time.
 */
public enum Fault {

	/** Instances that nothing tells apart. */
	LOOK_ALIKES("200 look-alikes",
			"""
					Two hundred instances begin at once in class loaders of one JVM: host name, address and process id are the
					same. Peers whose node is set have two hundred different nodes. Each peer has a JVM of its own, and the start
					is not counted as a time without an id.""") {

		@Override
		void happen(Scene scene) throws Exception {
			scene.startLookAlikes();
			scene.begin();
			scene.draw(8);
		}

	},

	/** Processes that nothing tells apart. */
	CONTAINERS("10 containers", """
			Ten processes begin at once in PID and host-name namespaces of their own: each has the process id 1 and the
			same host name. Peers whose node is set have ten different nodes. The start is not counted as a time without
			an id.""") {

		@Override
		void happen(Scene scene) throws Exception {
			scene.startContainers();
			scene.begin();
			scene.draw(8);
		}

	},

	/** A clock that is set back a little. */
	CLOCK_BACK_2_S("clock back 2 s", "The clock of one of two processes is set back by 2 s while they run.") {

		@Override
		void happen(Scene scene) throws Exception {
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
		void happen(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.setClock(-3600);
			scene.draw(8);
		}

	},

	/** A clock that is set back before a start. */
	CLOCK_BACK_WHILE_DOWN("clock back while down", """
			One of two processes is stopped in order, its clock is set back to the time at which it was started, and it
			is started again with the same node and disk.""") {

		@Override
		void happen(Scene scene) throws Exception {
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
		void happen(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.kill(1);
			scene.start(1);
			scene.draw(5);
		}

	},

	/** A process that does not run for longer than a lease. */
	FROZEN("frozen 35 s", """
			One of two processes is frozen for 35 s (SIGSTOP), which is longer than a lease of the generators that have
			one. A third process is started meanwhile.""") {

		@Override
		void happen(Scene scene) throws Exception {
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
			Two processes draw each id in a transaction of Spring, and half of these transactions are rolled back. An id
			counts as drawn even if its transaction was rolled back.""") {

		@Override
		void happen(Scene scene) throws Exception {
			scene.rollBack();
			scene.startTwo();
			scene.begin();
			scene.draw(8);
		}

	},

	/** A fail-over that loses commits. */
	LAGGING_REPLICA("lagging replica promoted",
			"""
					The replica receives nothing for three to four seconds, then the primary is killed and the replica is promoted
					under two running processes.""",
			Needs.REPLICA) {

		@Override
		void happen(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.site().cutReplica();
			scene.draw(3);
			scene.begin();
			scene.site().failOver();
			scene.draw(12);
		}

	},

	/** A fail-over, and back to the first server as it was. */
	FAIL_BACK("fail-over and back", """
			The replica is promoted without a loss, and four seconds later the first primary is started again as it was,
			without what was written meanwhile. A third process is started afterwards.""", Needs.REPLICA) {

		@Override
		void happen(Scene scene) throws Exception {
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
	CUT_OFF("store cut off 10 s", "The server is frozen for 10 s: connections stay open, and nobody answers.",
			Needs.STORE) {

		@Override
		void happen(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(4);
			scene.begin();
			scene.site().freeze();
			scene.waitFor(10);
			scene.site().thaw();
			scene.draw(5);
		}

	},

	/** A server that acknowledges what is not on disk. */
	LOST_COMMITS("server killed, commits in memory",
			"""
					The server acknowledges commits that are not on disk (PostgreSQL: `synchronous_commit=off`,
					`wal_writer_delay=10s`; MariaDB: `innodb_flush_log_at_trx_commit=0`; Valkey: `appendonly no`), is killed, and
					started again.""",
			Needs.STORE) {

		@Override
		void happen(Scene scene) throws Exception {
			scene.startTwo();
			scene.draw(5);
			scene.begin();
			scene.site().crash();
			scene.draw(6);
		}

	},

	/** A restored backup. */
	BACKUP("restored backup",
			"""
					The server's files are replaced by a copy that is about six seconds old, under two running processes. A third
					process is started afterwards.""",
			Needs.STORE) {

		@Override
		void happen(Scene scene) throws Exception {
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
	 * Let it happen.
	 */
	abstract void happen(Scene scene) throws Exception;

	/**
	 * Return the title in the report.
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Describe what happens.
	 */
	public String description() {
		return this.description;
	}

	boolean needsReplica() {
		return this.needs == Needs.REPLICA;
	}

	boolean movesClock() {
		return this == CLOCK_BACK_2_S || this == CLOCK_BACK_1_H || this == CLOCK_BACK_WHILE_DOWN;
	}

	/**
	 * Return whether it happens to the store, so that peers without one do not notice it.
	 */
	public boolean isOfTheStore() {
		return this.needs != Needs.NOTHING;
	}

	/**
	 * Return for how long processes draw as fast as they can in the end. The numbers that
	 * a store hands out again may come behind many that instances hold in memory.
	 */
	Duration hurry() {
		return (isOfTheStore() && this != CUT_OFF) ? Duration.ofSeconds(6) : Duration.ZERO;
	}

	/**
	 * Return the name by which it is chosen on the command line.
	 */
	public String option() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private enum Needs {

		NOTHING, STORE, REPLICA

	}

}
