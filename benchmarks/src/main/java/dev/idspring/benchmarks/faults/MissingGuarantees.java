package dev.idspring.benchmarks.faults;

import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The guarantees that peers (the compared ways to create ids) do not give, with the
 * reasons. Many reasons link to the page or the issue that states them.
 */
public final class MissingGuarantees {

	private static final Set<Fault> CLOCK_FAULTS = EnumSet.of(Fault.CLOCK_BACK_2_S, Fault.CLOCK_BACK_1_H,
			Fault.CLOCK_BACK_WHILE_DOWN);

	private static final String ISSUE = "[#%2$d](https://github.com/%1$s/issues/%2$d)";

	private MissingGuarantees() {
	}

	/**
	 * Return why a peer gives no guarantee under a fault. Return {@code null} if the peer
	 * gives a guarantee, or if its guarantees are not known.
	 */
	public static @Nullable String reason(Peer peer, Fault fault) {
		return switch (peer.library()) {
			case OURS -> reasonForOurs(peer.store(), fault);
			case MYBATIS_PLUS -> (peer == Peer.MYBATIS_PLUS_DEFAULT)
					? "the node must be set: " + issueLinks("baomidou/mybatis-plus", 7135, 5233, 4520, 1053, 212)
					: reasonForStateInMemory(fault);
			case SHARDINGSPHERE -> (peer == Peer.SHARDINGSPHERE_DEFAULT)
					? "the node is 0 unless it is set: " + issueLinks("apache/shardingsphere", 24359, 11452)
					: reasonForStateInMemory(fault);
			case TSID_CREATOR ->
				reasonForTsids(peer == Peer.TSID_CREATOR_DEFAULT, "https://github.com/f4b6a3/tsid-creator", fault);
			case HYPERSISTENCE_TSID -> reasonForTsids(peer == Peer.HYPERSISTENCE_TSID_DEFAULT,
					"https://github.com/vladmihalcea/hypersistence-tsid", fault);
			default -> reasonForStore(peer.store(), fault);
		};
	}

	private static @Nullable String reasonForOurs(Store store, Fault fault) {
		return switch (fault) {
			case LOST_COMMITS -> switch (store) {
				case POSTGRESQL -> null;
				case VALKEY -> "this project [refuses such a server](../docs/redis.md)";
				default -> "this project [assumes](../docs/guarantees.md#ids) a server that keeps commits";
			};
			case FAIL_BACK -> "[not covered](../docs/failover.md#not-covered-by-the-fence)";
			case BACKUP -> "[not covered](../docs/guarantees.md#not-covered)";
			default -> null;
		};
	}

	private static @Nullable String reasonForTsids(boolean randomNode, String page, Fault fault) {
		if (randomNode) {
			return "the node is [random](" + page + "#node-identifier)";
		}
		return CLOCK_FAULTS.contains(fault) ? "its [page](" + page + ") does not mention clocks" : null;
	}

	private static @Nullable String reasonForStateInMemory(Fault fault) {
		return (fault == Fault.CLOCK_BACK_WHILE_DOWN) ? "the time of the last id is only in memory" : null;
	}

	private static @Nullable String reasonForStore(Store store, Fault fault) {
		return switch (store) {
			case NONE -> null;
			case POSTGRESQL -> switch (fault) {
				case LAGGING_REPLICA, LAGGING_REPLICA_TWICE, FAIL_BACK ->
					"replication is [asynchronous](https://www.postgresql.org/docs/" + "current/warm-standby.html)";
				case LOST_COMMITS ->
					"such commits [may be lost](https://www.postgresql.org/docs/current/" + "wal-async-commit.html)";
				default -> reasonForBackup(fault);
			};
			case MARIADB -> switch (fault) {
				case LAGGING_REPLICA, LAGGING_REPLICA_TWICE, FAIL_BACK ->
					"replication is [asynchronous](https://mariadb.com/kb/en/semisynchronous-replication/)";
				case LOST_COMMITS -> "such commits may be lost";
				default -> reasonForBackup(fault);
			};
			case VALKEY -> switch (fault) {
				case LAGGING_REPLICA, LAGGING_REPLICA_TWICE, FAIL_BACK ->
					"replication is [asynchronous](https://valkey.io/topics/replication)";
				case LOST_COMMITS -> "such commits may be lost";
				default -> reasonForBackup(fault);
			};
		};
	}

	private static @Nullable String reasonForBackup(Fault fault) {
		return (fault == Fault.BACKUP) ? "a backup lacks the numbers that were reserved later" : null;
	}

	private static String issueLinks(String repository, int... numbers) {
		StringBuilder links = new StringBuilder();
		for (int number : numbers) {
			links.append(links.isEmpty() ? "" : ", ").append(ISSUE.formatted(repository, number));
		}
		return links.toString();
	}

}
