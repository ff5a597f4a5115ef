package dev.idspring.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Passes every JDBC call on to a real database, but lets chosen ones fail: before they
 * took effect, or after, when the answer was lost.
 */
public final class FaultyDataSource extends DelegatingDataSource {

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	private volatile Fault fault = (index, call) -> Outcome.SUCCEEDS;

	public FaultyDataSource(DataSource target) {
		super(target);
	}

	/**
	 * Begin to count anew, and let calls fail.
	 */
	public void begin(Fault fault) {
		this.calls.clear();
		this.fault = fault;
	}

	/**
	 * Repeat work, and let another of its calls fail each time: the first, the second,
	 * and so on until it makes no more.
	 * @param outcome what becomes of the call
	 * @param work is told which call fails, from 1
	 * @return how many calls have failed
	 */
	public int failEachCall(Outcome outcome, IntConsumer work) {
		AtomicInteger failed = new AtomicInteger();
		for (int failing = 1; failed.get() == failing - 1; failing++) {
			int index = failing;
			begin((call, name) -> {
				if (call != index) {
					return Outcome.SUCCEEDS;
				}
				failed.incrementAndGet();
				return outcome;
			});
			work.accept(index);
		}
		return failed.get();
	}

	/**
	 * Return the names of all calls since the beginning.
	 */
	public List<String> calls() {
		return List.of(this.calls.toArray(String[]::new));
	}

	@Override
	public Connection getConnection() throws SQLException {
		try {
			return (Connection) call("getConnection", () -> proxy(Connection.class, super.getConnection()));
		}
		catch (SQLException | RuntimeException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object call(String name, Call call) throws Throwable {
		this.calls.add(name);
		Outcome outcome = this.fault.outcome(this.calls.size(), name);
		// a connection that is not closed would be lost to the pool for the rest of the
		// test
		if (outcome.exception != null && !outcome.takesEffect && !name.equals("close")) {
			throw outcome.exception;
		}
		Object result = call.run();
		if (outcome.exception != null) {
			if (result instanceof Connection connection) {
				connection.close();
			}
			throw outcome.exception;
		}
		return result;
	}

	private Object proxy(Class<?> type, Object target) {
		return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(method.getName(), () -> invoke(method, target, arguments)));
	}

	private Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
		try {
			Object result = method.invoke(target, arguments);
			if (result instanceof PreparedStatement) {
				return proxy(PreparedStatement.class, result);
			}
			if (result instanceof Statement) {
				return proxy(Statement.class, result);
			}
			return (result instanceof ResultSet) ? proxy(ResultSet.class, result) : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * Says what becomes of a call.
	 */
	public interface Fault {

		/**
		 * Decide.
		 * @param index how many calls there have been, with this one
		 * @param call the name of the method
		 */
		Outcome outcome(int index, String call);

	}

	/**
	 * What becomes of a call.
	 *
	 * @param takesEffect whether it reaches the database
	 * @param exception what the caller gets, {@code null} for the answer of the database
	 */
	public record Outcome(boolean takesEffect, Exception exception) {

		public static final Outcome SUCCEEDS = new Outcome(true, null);

		public static Outcome failsBefore(String state) {
			return new Outcome(false, new SQLException("planted before", state));
		}

		public static Outcome failsAfter(String state) {
			return new Outcome(true, new SQLException("planted after", state));
		}

	}

	private interface Call {

		Object run() throws Throwable;

	}

}
