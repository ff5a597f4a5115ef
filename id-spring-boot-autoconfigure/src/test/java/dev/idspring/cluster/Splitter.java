package dev.idspring.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

import dev.idspring.testsupport.PassThroughDriver;

/**
 * A driver that behaves like a read/write splitter with a rule for {@code select}:
 * statements that only read go to a replica, even within a transaction. Session settings
 * go to both servers. The URL is that of the primary, with the port of the replica as the
 * parameter {@code replica}.
 */
public final class Splitter implements PassThroughDriver {

	private static final Pattern URL_WITH_REPLICA = Pattern.compile("//127\\.0\\.0\\.1:\\d+(/.*?)[?&]replica=(\\d+)");

	private static final Pattern READ = Pattern
		.compile("(?is)\\s*select\\b(?!.*\\b(for update|lock in share mode|last_insert_id)\\b).*");

	private static final Pattern SET = Pattern.compile("(?is)\\s*set\\b.*");

	/** The methods of a connection that are called on both servers. */
	private static final Set<String> METHODS_FOR_BOTH = Set.of("setAutoCommit", "commit", "rollback", "close", "abort",
			"setTransactionIsolation", "setNetworkTimeout", "setReadOnly");

	@Override
	public Connection connect(String url, Properties properties) throws SQLException {
		Connection primary = DriverManager.getDriver(url).connect(url, properties);
		String replicaUrl = URL_WITH_REPLICA.matcher(url).replaceFirst("//127.0.0.1:$2$1");
		return proxy(Connection.class,
				new Pair<>(primary, DriverManager.getDriver(replicaUrl).connect(replicaUrl, properties)));
	}

	private static <T> T proxy(Class<T> type, Pair<T> pair) {
		return type
			.cast(Proxy.newProxyInstance(Splitter.class.getClassLoader(), new Class<?>[] { type }, pair::invoke));
	}

	/**
	 * A connection, or a statement created without SQL, on both servers.
	 */
	private static final class Pair<T> {

		private final T primary;

		private final T replica;

		/** The target of the latest statement, from which results are fetched. */
		private T latest;

		Pair(T primary, T replica) {
			this.primary = primary;
			this.replica = replica;
			this.latest = primary;
		}

		private Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
			String name = method.getName();
			if (name.equals("createStatement")) {
				return proxy(Statement.class, new Pair<>((Statement) call(this.primary, method, arguments),
						(Statement) call(this.replica, method, arguments)));
			}
			if (METHODS_FOR_BOTH.contains(name)) {
				call(this.replica, method, arguments);
				return call(this.primary, method, arguments);
			}
			if (arguments != null && arguments[0] instanceof String sql) {
				if (this.primary instanceof Statement && SET.matcher(sql).matches()) {
					call(this.replica, method, arguments);
				}
				this.latest = READ.matcher(sql).matches() ? this.replica : this.primary;
				return call(this.latest, method, arguments);
			}
			return call((this.primary instanceof Connection) ? this.primary : this.latest, method, arguments);
		}

		private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
