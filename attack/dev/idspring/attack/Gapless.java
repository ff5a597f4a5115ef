package dev.idspring.attack;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;
import dev.idspring.*;
import dev.idspring.testsupport.TestDatabase;
import dev.idspring.testsupport.TestDatabase.Kind;
import org.springframework.context.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.*;
import org.springframework.transaction.support.TransactionTemplate;
public class Gapless {
	static String root(Throwable ex) { while (ex.getCause() != null) ex = ex.getCause(); String m = ex.getClass().getSimpleName() + " " + ex.getMessage(); return m.substring(0, Math.min(160, m.length())); }
	public static void main(String[] args) throws Exception {
		ExecutorService pool = Executors.newCachedThreadPool();
		for (Kind kind : List.of(Kind.H2, Kind.POSTGRESQL)) for (int isolation : new int[] { -1, TransactionDefinition.ISOLATION_REPEATABLE_READ }) for (boolean commit : new boolean[] { true, false }) {
			TestDatabase db = kind.create();
			ConfigurableApplicationContext old = Rolling.start(db, "gapless", List.of());
			IdGenerator ids = old.getBean(IdGenerator.class);
			TransactionTemplate tx = new TransactionTemplate(old.getBean(PlatformTransactionManager.class));
			tx.executeWithoutResult((s) -> ids.nextLongs(5));   // 1..5, next 6 = first + 5
			tx.setIsolationLevel(isolation);
			CountDownLatch drawn = new CountDownLatch(1), end = new CountDownLatch(1);
			Future<Long> t1 = pool.submit(() -> tx.execute((s) -> { long v = ids.nextLong(); drawn.countDown(); try { end.await(); } catch (InterruptedException e) { } if (!commit) s.setRollbackOnly(); return v; }));
			drawn.await();
			Future<ConfigurableApplicationContext> started = pool.submit(() -> Rolling.start(db, "gapless", List.of(5L)));
			Thread.sleep(1500);
			boolean waits = !started.isDone();
			end.countDown();
			String result;
			try { long v = t1.get(); result = "transaction drew " + v + (commit ? " and committed" : " and rolled back"); } catch (ExecutionException ex) { result = "transaction failed: " + root(ex); }
			ConfigurableApplicationContext fresh = null;
			try { fresh = started.get(); result += "; redefined"; } catch (ExecutionException ex) { result += "; start refused: " + root(ex); }
			try { result += "; old draws " + tx.execute((s) -> ids.nextLong()); } catch (RuntimeException ex) { result += "; old refused: " + root(ex); }
			if (fresh != null) { IdGenerator n = fresh.getBean(IdGenerator.class); result += "; new draws " + new TransactionTemplate(fresh.getBean(PlatformTransactionManager.class)).execute((s) -> n.nextLong()); fresh.close(); }
			System.out.println(kind + " isolation " + isolation + " waits " + waits + ": " + result);
			old.close();
		}
		// killed between the sequence and the key space
		TestDatabase db = TestDatabase.h2();
		ConfigurableApplicationContext c = Rolling.start(db, "gapless", List.of());
		JdbcTemplate jdbc = new JdbcTemplate(c.getBean(javax.sql.DataSource.class));
		System.out.println(jdbc.queryForList("select name, next_value, text_version from ids_gapless"));
		jdbc.update("update ids_gapless set text_version = 2");
		IdGenerator ids = c.getBean(IdGenerator.class);
		try { System.out.println("old draws " + new TransactionTemplate(c.getBean(PlatformTransactionManager.class)).execute((s) -> ids.nextLong())); } catch (RuntimeException ex) { System.out.println("killed in the middle, old: " + root(ex)); }
		try (ConfigurableApplicationContext again = Rolling.start(db, "gapless", List.of())) { System.out.println("old list restarts"); } catch (RuntimeException ex) { System.out.println("old list restart refused: " + root(ex)); }
		try (ConfigurableApplicationContext again = Rolling.start(db, "gapless", List.of(5L))) { IdGenerator n = again.getBean(IdGenerator.class); System.out.println("new list starts, draws " + new TransactionTemplate(again.getBean(PlatformTransactionManager.class)).execute((s) -> n.nextLong())); } catch (RuntimeException ex) { System.out.println("new list refused: " + root(ex)); }
		// killed before the sequence was created
		TestDatabase db2 = TestDatabase.h2();
		c = Rolling.start(db2, "gapless", List.of());
		new JdbcTemplate(c.getBean(javax.sql.DataSource.class)).update("delete from ids_gapless");
		try (ConfigurableApplicationContext again = Rolling.start(db2, "gapless", List.of(5L))) { System.out.println("no sequence: new list starts"); } catch (RuntimeException ex) { System.out.println("no sequence: new list refused: " + root(ex)); }
		System.exit(0);
	}
}
