package dev.idspring.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * A driver that does what read/write splitters do with a rule for {@code select}: a
 * replica answers statements that only read, whatever transaction they are in. Both
 * servers are told what is set for a session. The URL is that of the primary, with the
 * port of the replica as the parameter {@code replica}.
 */
public final class Splitter implements Driver {

	private static final Pattern REPLICA = Pattern.compile("//127\\.0\\.0\\.1:\\d+(/.*?)[?&]replica=(\\d+)");

	private static final Pattern READ = Pattern
		.compile("(?is)\\s*select\\b(?!.*\\b(for update|lock in share mode|last_insert_id)\\b).*");

	private static final Pattern SET = Pattern.compile("(?is)\\s*set\\b.*");

	/** What of a connection concerns both servers. */
	private static final Set<String> FOR_BOTH = Set.of("setAutoCommit", "commit", "rollback", "close", "abort",
			"setTransactionIsolation", "setNetworkTimeout", "setReadOnly");

	@Override
	public Connection connect(String url, Properties properties) throws SQLException {
		Connection primary = DriverManager.getDriver(url).connect(url, properties);
		String other = REPLICA.matcher(url).replaceFirst("//127.0.0.1:$2$1");
		return proxy(Connection.class,
				new Halves<>(primary, DriverManager.getDriver(other).connect(other, properties)));
	}

	private static <T> T proxy(Class<T> type, Halves<T> halves) {
		return type
			.cast(Proxy.newProxyInstance(Splitter.class.getClassLoader(), new Class<?>[] { type }, halves::invoke));
	}

	@Override
	public boolean acceptsURL(String url) {
		return true;
	}

	@Override
	public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
		return new DriverPropertyInfo[0];
	}

	@Override
	public int getMajorVersion() {
		return 1;
	}

	@Override
	public int getMinorVersion() {
		return 0;
	}

	@Override
	public boolean jdbcCompliant() {
		return false;
	}

	@Override
	public Logger getParentLogger() {
		return Logger.getGlobal();
	}

	/**
	 * A connection, or a statement without SQL of its own, on both servers.
	 */
	private static final class Halves<T> {

		private final T primary;

		private final T replica;

		/** What was asked last, whose results are then fetched. */
		private T asked;

		Halves(T primary, T replica) {
			this.primary = primary;
			this.replica = replica;
			this.asked = primary;
		}

		private Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
			String name = method.getName();
			if (name.equals("createStatement")) {
				return proxy(Statement.class, new Halves<>((Statement) call(this.primary, method, arguments),
						(Statement) call(this.replica, method, arguments)));
			}
			if (FOR_BOTH.contains(name)) {
				call(this.replica, method, arguments);
				return call(this.primary, method, arguments);
			}
			if (arguments != null && arguments[0] instanceof String sql) {
				if (this.primary instanceof Statement && SET.matcher(sql).matches()) {
					call(this.replica, method, arguments);
				}
				this.asked = READ.matcher(sql).matches() ? this.replica : this.primary;
				return call(this.asked, method, arguments);
			}
			return call((this.primary instanceof Connection) ? this.primary : this.asked, method, arguments);
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
