package dev.idspring.lab;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

import dev.idspring.testsupport.PassThroughDriver;

/**
 * A driver that delegates to the real driver of the database and counts the failed
 * commits of the calling thread. The outcome of these commits is unknown.
 */
public final class UnknownCommitCounter implements PassThroughDriver {

	/** A count per thread, because a store commits on the thread that calls it. */
	private static final ThreadLocal<Integer> COUNT = ThreadLocal.withInitial(() -> 0);

	static void add() {
		COUNT.set(COUNT.get() + 1);
	}

	/**
	 * Return the count of this thread, and reset it.
	 */
	static int getAndReset() {
		int count = COUNT.get();
		COUNT.remove();
		return count;
	}

	@Override
	public Connection connect(String url, Properties properties) throws SQLException {
		Connection connection = DriverManager.getDriver(url).connect(url, properties);
		return (Connection) Proxy.newProxyInstance(UnknownCommitCounter.class.getClassLoader(),
				new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> invoke(connection, method, arguments));
	}

	private static Object invoke(Connection connection, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(connection, arguments);
		}
		catch (InvocationTargetException ex) {
			if (method.getName().equals("commit")) {
				add();
			}
			throw ex.getTargetException();
		}
	}

}
