package dev.idspring.benchmarks.faults;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.github.f4b6a3.tsid.TsidCreator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.idspring.benchmarks.store.CosIdContestant;
import dev.idspring.block.BlockIdGenerator;
import dev.idspring.jdbc.JdbcDatabase;
import dev.idspring.jdbc.JdbcKeySpaceStore;
import dev.idspring.jdbc.JdbcSettings;
import dev.idspring.jdbc.JdbcSlotStore;
import dev.idspring.keyspace.CoprimeSettings;
import dev.idspring.keyspace.KeySpaceSettings.SequentialSettings;
import dev.idspring.redis.RedisDatabase;
import dev.idspring.redis.RedisKeySpaceStore;
import dev.idspring.redis.RedisSettings;
import dev.idspring.redis.RedisSlotStore;
import dev.idspring.store.KeySpaceStore;
import dev.idspring.store.SlotStore;
import dev.idspring.text.Alphabet;
import dev.idspring.time.SnowflakeSettings;
import dev.idspring.time.TimeIdGenerator;
import dev.idspring.worker.Deadline;
import io.hypersistence.tsid.TSID;
import me.ahoo.cosid.machine.DefaultClockBackwardsSynchronizer;
import me.ahoo.cosid.machine.DefaultMachineIdGuarder;
import me.ahoo.cosid.machine.InstanceId;
import me.ahoo.cosid.machine.LocalMachineStateStorage;
import me.ahoo.cosid.machine.MachineIdDistributor;
import me.ahoo.cosid.machine.ManualMachineIdDistributor;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.concurrent.PrefetchWorkerExecutorService;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.snowflake.SnowflakeKeyGenerateAlgorithm;
import org.apache.shardingsphere.infra.config.mode.ModeConfiguration;
import org.apache.shardingsphere.infra.instance.ComputeNodeInstance;
import org.apache.shardingsphere.infra.instance.ComputeNodeInstanceContext;
import org.apache.shardingsphere.infra.instance.metadata.jdbc.JDBCInstanceMetaData;
import org.apache.shardingsphere.infra.util.eventbus.EventBusContext;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.id.enhanced.StandardOptimizerDescriptor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.incrementer.MySQLMaxValueIncrementer;
import org.springframework.jdbc.support.incrementer.PostgresSequenceMaxValueIncrementer;

/**
 * Opens the generator of each {@link Peer} as an application would.
 */
final class Adapters {

	/** The block size of the peers whose titles name a size of 1,000. */
	private static final int BLOCK = 1_000;

	private Adapters() {
	}

	static IdSource coprime(Instance instance) {
		return coprime(new JdbcKeySpaceStore(openDatabase(instance)));
	}

	static IdSource coprimeOnValkey(Instance instance) {
		return coprime(new RedisKeySpaceStore(openValkey(instance)));
	}

	private static IdSource coprime(KeySpaceStore store) {
		BlockIdGenerator ids = BlockIdGenerator
			.coprime("coprime", new CoprimeSettings(Alphabet.of("base62"), 6, 6, null, 0), store)
			.open();
		// return ordinals, because the lost keys are counted as gaps between ordinals
		return IdSource.of(() -> ids.keySpace().ordinal(ids.nextLong()), ids::close);
	}

	static IdSource sequential(Instance instance) {
		return sequential(new JdbcKeySpaceStore(openDatabase(instance)));
	}

	static IdSource sequentialOnValkey(Instance instance) {
		return sequential(new RedisKeySpaceStore(openValkey(instance)));
	}

	private static IdSource sequential(KeySpaceStore store) {
		BlockIdGenerator ids = BlockIdGenerator
			.sequential("sequential", new SequentialSettings(1, Long.MAX_VALUE - 1), store)
			.open();
		return IdSource.of(ids::nextLong, ids::close);
	}

	static IdSource snowflake(Instance instance) {
		JdbcDatabase database = openDatabase(instance);
		return snowflake(new JdbcKeySpaceStore(database), new JdbcSlotStore(database));
	}

	static IdSource snowflakeOnValkey(Instance instance) {
		RedisDatabase database = openValkey(instance);
		return snowflake(new RedisKeySpaceStore(database), new RedisSlotStore(database));
	}

	private static IdSource snowflake(KeySpaceStore store, SlotStore slots) {
		TimeIdGenerator ids = TimeIdGenerator
			.builder("snowflake", SnowflakeSettings.Preset.STANDARD.settings().scheme())
			.store(store, slots)
			.open();
		return IdSource.of(ids::nextLong, ids::close);
	}

	private static JdbcDatabase openDatabase(Instance instance) {
		return JdbcDatabase.open(instance.database(), JdbcSettings.defaults("ids_"),
				Deadline.in(Duration.ofSeconds(5)));
	}

	private static RedisDatabase openValkey(Instance instance) {
		return RedisDatabase.open(new LettuceConnectionFactory("127.0.0.1", instance.port()),
				RedisSettings.defaults().withInitialize(true), Deadline.in(Duration.ofSeconds(5)));
	}

	static IdSource incrby(Instance instance) {
		StringRedisTemplate redis = redis(instance);
		AtomicLong next = new AtomicLong();
		AtomicLong end = new AtomicLong();
		// no synchronization is needed, because only one thread draws
		return IdSource.of(() -> {
			if (next.get() == end.get()) {
				long reserved = redis.opsForValue().increment("ids", BLOCK);
				end.set(reserved);
				next.set(reserved - BLOCK);
			}
			return next.getAndIncrement();
		});
	}

	private static StringRedisTemplate redis(Instance instance) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", instance.port());
		factory.afterPropertiesSet();
		factory.start();
		return new StringRedisTemplate(factory);
	}

	static IdSource mybatisPlus(Instance instance) {
		DefaultIdentifierGenerator ids = new DefaultIdentifierGenerator(instance.number() % 32, instance.number() / 32);
		return IdSource.of(() -> ids.nextId(null));
	}

	static IdSource mybatisPlusDefault(Instance instance) {
		DefaultIdentifierGenerator ids = DefaultIdentifierGenerator.getInstance();
		return IdSource.of(() -> ids.nextId(null));
	}

	static IdSource shardingSphere(Instance instance) {
		SnowflakeKeyGenerateAlgorithm ids = new SnowflakeKeyGenerateAlgorithm();
		ids.init(new Properties());
		ComputeNodeInstance node = new ComputeNodeInstance(
				new JDBCInstanceMetaData(Integer.toString(instance.number()), "faults"));
		ComputeNodeInstanceContext context = new ComputeNodeInstanceContext(node,
				new ModeConfiguration("Cluster", null), new EventBusContext());
		// in cluster mode, a registry assigns a number to each instance
		context.init((properties) -> {
			node.setWorkerId(instance.number());
			return instance.number();
		}, null);
		ids.setComputeNodeInstanceContext(context);
		return keys(ids);
	}

	static IdSource shardingSphereDefault(Instance instance) {
		SnowflakeKeyGenerateAlgorithm ids = new SnowflakeKeyGenerateAlgorithm();
		ids.init(new Properties());
		return keys(ids);
	}

	private static IdSource keys(SnowflakeKeyGenerateAlgorithm ids) {
		AlgorithmSQLContext column = new AlgorithmSQLContext("faults", "public", "customer", "id");
		return IdSource.of(() -> ids.generateKeys(column, 1).iterator().next());
	}

	static IdSource tsidCreator(Instance instance) {
		TsidFactory ids = TsidFactory.newInstance1024(instance.number());
		return IdSource.of(() -> ids.create().toLong());
	}

	static IdSource tsidCreatorDefault(Instance instance) {
		return IdSource.of(() -> TsidCreator.getTsid().toLong());
	}

	static IdSource hypersistence(Instance instance) {
		TSID.Factory ids = TSID.Factory.newInstance1024(instance.number());
		return IdSource.of(() -> ids.generate().toLong());
	}

	static IdSource hypersistenceDefault(Instance instance) {
		return IdSource.of(() -> TSID.Factory.getTsid().toLong());
	}

	static IdSource uuid7(Instance instance) {
		return UuidCreator::getTimeOrderedEpoch;
	}

	static IdSource cosIdSnowflake(Instance instance) {
		MachineIdDistributor machines = new ManualMachineIdDistributor(instance.number(),
				new LocalMachineStateStorage(instance.disk().resolve("cosid-" + instance.number()).toString()),
				new DefaultClockBackwardsSynchronizer());
		InstanceId self = InstanceId.of("instance-" + instance.number(), true);
		int machine = machines.distribute("faults", 10, self, MachineIdDistributor.FOREVER_SAFE_GUARD_DURATION)
			.getMachineId();
		DefaultMachineIdGuarder guarder = new DefaultMachineIdGuarder(machines,
				MachineIdDistributor.FOREVER_SAFE_GUARD_DURATION);
		guarder.register("faults", self);
		guarder.start();
		ClockSyncSnowflakeId ids = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(machine));
		return IdSource.of(ids::generate, () -> {
			guarder.stop();
			machines.revert("faults", self);
		});
	}

	static IdSource cosIdChain(Instance instance) {
		return cosIdChain(CosIdContestant.distributor("faults", BLOCK, instance.database()));
	}

	static IdSource cosIdChainOnValkey(Instance instance) {
		return cosIdChain(new RedisSegments(redis(instance), new AtomicLong()));
	}

	private static IdSource cosIdChain(IdSegmentDistributor segments) {
		PrefetchWorkerExecutorService prefetching = new PrefetchWorkerExecutorService(
				PrefetchWorkerExecutorService.DEFAULT_PREFETCH_PERIOD, 1, false);
		SegmentChainId ids = new SegmentChainId(Long.MAX_VALUE, SegmentChainId.DEFAULT_SAFE_DISTANCE, segments,
				prefetching);
		return IdSource.of(ids::generate, prefetching::shutdown);
	}

	static IdSource hibernateSequence(Instance instance) {
		return hibernate(instance, Customers.BySequence.class, StandardOptimizerDescriptor.POOLED);
	}

	static IdSource hibernateSequenceLo(Instance instance) {
		return hibernate(instance, Customers.BySequenceLo.class, StandardOptimizerDescriptor.POOLED_LO);
	}

	static IdSource hibernateTable(Instance instance) {
		return hibernate(instance, Customers.ByTable.class, StandardOptimizerDescriptor.POOLED);
	}

	static IdSource hibernateTableLo(Instance instance) {
		return hibernate(instance, Customers.ByTableLo.class, StandardOptimizerDescriptor.POOLED_LO);
	}

	private static IdSource hibernate(Instance instance, Class<?> entity, StandardOptimizerDescriptor optimizer) {
		Properties properties = new Properties();
		properties.put("hibernate.connection.datasource", instance.database());
		properties.put("hibernate.id.optimizer.pooled.preferred", optimizer.getExternalName());
		SessionFactory factory = new Configuration().addAnnotatedClass(entity)
			.addProperties(properties)
			.buildSessionFactory();
		BeforeExecutionGenerator generator = (BeforeExecutionGenerator) factory.unwrap(SessionFactoryImplementor.class)
			.getMappingMetamodel()
			.getEntityDescriptor(entity)
			.getGenerator();
		return IdSource.of(() -> {
			// open a session for each id, because each request of an application has its
			// own session
			try (StatelessSession session = factory.openStatelessSession()) {
				return (Long) generator.generate((SharedSessionContractImplementor) session, null, null,
						EventType.INSERT);
			}
		}, factory::close);
	}

	static IdSource springSequence(Instance instance) {
		return IdSource.of(new PostgresSequenceMaxValueIncrementer(instance.database(), "spring")::nextLongValue);
	}

	static IdSource springTable(Instance instance) {
		MySQLMaxValueIncrementer ids = new MySQLMaxValueIncrementer(instance.database(), "spring", "value");
		ids.setCacheSize(BLOCK);
		ids.afterPropertiesSet();
		return IdSource.of(ids::nextLongValue);
	}

	static IdSource postgresqlSequence(Instance instance) {
		return query(instance, "select nextval('plain')");
	}

	static IdSource mariadbSequence(Instance instance) {
		return query(instance, "select nextval(plain)");
	}

	private static IdSource query(Instance instance, String sql) {
		JdbcTemplate jdbc = new JdbcTemplate(instance.database());
		return IdSource.of(() -> jdbc.queryForObject(sql, Long.class));
	}

	/**
	 * Gets segments in the same way as CosId's module for Redis: it adds the size of a
	 * segment to the number stored under a key, and rejects a result that is too low. The
	 * module itself is not used, because the build cannot resolve it.
	 *
	 * @param last the end of the last segment
	 */
	private record RedisSegments(StringRedisTemplate redis, AtomicLong last) implements IdSegmentDistributor {

		@Override
		public String getNamespace() {
			return "benchmarks";
		}

		@Override
		public String getName() {
			return "faults";
		}

		@Override
		public long getStep() {
			return BLOCK;
		}

		@Override
		public long nextMaxId(long step) {
			long end = this.redis.opsForValue().increment("cosid:{" + getNamespacedName() + "}.adder", step);
			if (end < this.last.get() + step) {
				throw new IllegalStateException("The segment that ends at %d follows a segment that ends at %d"
					.formatted(end, this.last.get()));
			}
			this.last.set(end);
			return end;
		}

	}

}
